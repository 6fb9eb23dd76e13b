import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type TimedResponse, timed } from '../../support/http/timed-response';
import { type ExactPet, type PetWriters, readExactly, readExactPet } from '../../support/samples/pet-writers';
import type { ServiceProcess } from '../../support/processes/service-process';

/** Time between two requests of one client, in milliseconds. */
const PAUSE_MS = 50;

/** Clients that read what was acknowledged, by its id and in lists, and find what is not there or is something else. */
export class CheckingReaders {
  /** What was read and should not have been, in words. */
  readonly wrong: string[] = [];
  /** Called with each response, and with the service that it came from. */
  onResponse: (response: TimedResponse, service: ServiceProcess) => void = () => undefined;
  /** What was acknowledged, in that order. */
  private readonly ids: string[] = [];
  private isStopped = false;

  constructor(
    private readonly key: string,
    private readonly writers: PetWriters,
  ) {
    writers.onAcknowledged = (id) => void this.ids.push(id);
  }

  /** Runs a client of each kind until {@link stop} is called. */
  async run(service: ServiceProcess): Promise<void> {
    await Promise.all([this.get(service), this.list(service)]);
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Gets one pet after another, every other time the newest. */
  private async get(service: ServiceProcess): Promise<void> {
    for (let time = 0; !this.isStopped; time++) {
      const last = this.ids.length - 1;
      const id = this.ids[time % 2 === 0 ? last : randomInt(last + 2) - 1];
      const response = id && (await this.ask(service, `/v1/pets/${id}`));
      if (response) this.compare(id, readExactPet(response.body), 'got');
      await pause(PAUSE_MS);
    }
  }

  /** Goes through the pages to the last, and reads that again and again until there is a next one. */
  private async list(service: ServiceProcess): Promise<void> {
    let path = '/v1/pets?limit=100';
    let after = 0n;
    // What has to be on this page or later ones: all that was acknowledged before the page is asked for.
    let due: string[] = [];
    for (let seen = 0; !this.isStopped;) {
      due.push(...this.ids.slice(seen).filter((id) => BigInt(id) > after));
      seen = this.ids.length;
      const response = await this.ask(service, path);
      if (response) {
        const page = new Map((readExactly(response.body) as ExactPet[]).map((pet) => [pet.id, pet]));
        const last = BigInt([...page.keys()].at(-1) ?? after);
        const next = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        const onPage = next === undefined ? due : due.filter((id) => BigInt(id) <= last);
        for (const id of onPage) this.compare(id, page.get(id), 'listed');
        if (next !== undefined) {
          [path, after] = [next, last];
          due = due.filter((id) => BigInt(id) > last);
        }
      }
      await pause(PAUSE_MS);
    }
  }

  /** @returns the response when it is 200 */
  private async ask(service: ServiceProcess, path: string): Promise<TimedResponse | undefined> {
    const response = await timed(() => service.fetch(path, this.key));
    if (response) this.onResponse(response, service);
    else this.wrong.push(`${path} got no response`);
    return response?.status === 200 ? response : undefined;
  }

  private compare(id: string, found: ExactPet | undefined, how: string): void {
    const isRight = isDeepStrictEqual(found, { id, ...this.writers.acknowledged.get(id) });
    if (!isRight) this.wrong.push(`pet ${id} was ${how} as ${JSON.stringify(found)}`);
  }
}
