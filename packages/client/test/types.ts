/** Programs that the compiler has to accept, and others that it has to refuse; only `npm run types` checks them. */
import {
  type List,
  type Page,
  type Pet,
  PetstoreClient,
  PetstoreError,
  type PetStatus,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Accepts only values of exactly this type. */
function is<T>(): <A>(value: A, same: Same<A, T>) => void {
  return () => undefined;
}

export async function theTypes(client: PetstoreClient): Promise<void> {
  const pet = await client.createPet({ name: 'Rex', categoryId: 3n, status: 'available' });
  is<Pet>()(pet, true);
  is<bigint>()(pet.id, true);
  is<bigint>()(pet.categoryId, true);
  is<PetStatus | undefined>()(pet.status, true);

  // @ts-expect-error an int64 is no number: it might have been rounded
  client.createPet({ name: 'Rex', categoryId: 3 });
  // @ts-expect-error a member is missing
  client.createPet({ name: 'Rex' });
  // @ts-expect-error the service assigns ids
  client.createPet({ id: 1n, name: 'Rex', categoryId: 3n });
  // @ts-expect-error no such status
  client.createPet({ name: 'Rex', categoryId: 3n, status: 'lost' });
  // @ts-expect-error only changes have this condition
  client.createPet({ name: 'Rex', categoryId: 3n }, { ifMatch: '"tag"' });
  client.createPet(
    { name: 'Rex', categoryId: 3n },
    { idempotencyKey: 'mine', budget: 1, headers: { a: 'b' } },
  );

  is<Pet>()(await client.getPet(1n), true);
  is<Pet | undefined>()(await client.getPet(1n, { ifNoneMatch: '"tag"' }), true);
  is<Pet>()((await client.getPet(1n).withResponse()).data, true);
  is<string | undefined>()((await client.getPet(1n).withResponse()).etag, true);
  // @ts-expect-error an id is no number
  client.getPet(1);
  // @ts-expect-error nothing is added
  client.getPet(1n, { idempotencyKey: 'mine' });

  is<List<Pet>>()(client.listPets(), true);
  is<Page<Pet>>()(await client.listPets({ status: 'sold', limit: 5 }).page(), true);
  is<Page<Pet> | undefined>()(await client.listPets().page({ ifNoneMatch: '"tag"' }), true);
  for await (const each of client.listPets({ cursor: 'c' })) is<Pet>()(each, true);
  // @ts-expect-error no such parameter
  client.listPets({ page: 2 });
  // @ts-expect-error a limit is a number
  client.listPets({ limit: 20n });

  // @ts-expect-error the API key is missing
  void new PetstoreClient({ baseUrl: 'http://127.0.0.1:3000' });
  void new PetstoreClient({
    baseUrl: '',
    apiKey: '',
    fetch,
    onDeprecation: ({ sunset }) => is<Date | undefined>()(sunset, true),
  });
}

export function theTypesOfAnError(error: unknown): string {
  if (!(error instanceof PetstoreError)) return 'another';
  is<number | undefined>()(error.status, true);
  is<string | undefined>()(error.requestId, true);
  // @ts-expect-error an error keeps its code
  error.code = 'other';
  // New codes of the service may appear, so the type allows any text.
  return error.code === 'pet_not_found' || error.code === 'a_new_code' ? 'known' : error.code;
}
