import { fetchExactPet, listNames, type PetWriters } from '../../support/samples/pet-writers';
import type { ServiceProcess } from '../../support/processes/service-process';

/** How many pets are asked for at once: as many as the service has connections, so that none waits for one. */
const BATCH = 10;

/** That pets, all acknowledged ones unless named, are there exactly as they were sent. */
export async function expectAcknowledged(
  service: ServiceProcess,
  key: string,
  { acknowledged }: PetWriters,
  ids: readonly string[] = [...acknowledged.keys()],
): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const found = await Promise.all(batch.map(async (id) => [id, await fetchExactPet(service, key, id)]));
    expect(found).toEqual(batch.map((id) => [id, { id, ...acknowledged.get(id) }]));
  }
}

/** That no pet is there twice, however often it was sent, and that none was acknowledged twice. */
export async function expectEachOnce(
  service: ServiceProcess,
  key: string,
  { acknowledged }: PetWriters,
): Promise<void> {
  const listed = await listNames(service, key);
  expect(listed).toHaveLength(new Set(listed).size);
  const names = [...acknowledged.values()].map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
}
