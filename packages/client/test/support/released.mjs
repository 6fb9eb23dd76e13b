// What every released client has to be able to do with the service of today. A release of it, unpacked, is its only argument.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const { PetstoreClient, PetstoreError } = await import(
  pathToFileURL(`${process.argv[2]}/dist/index.js`).href
);
const notices = [];
const client = new PetstoreClient({
  baseUrl: process.env.PETSTORE_URL,
  apiKey: process.env.PETSTORE_API_KEY,
  onDeprecation: (notice) => notices.push(notice),
});

const categoryId = -9223372036854775808n;
const added = { name: 'Rex', categoryId, status: 'sold' };
const pet = await client.createPet(added, { idempotencyKey: `of ${process.argv[2]}`.replaceAll(/\W/g, '-') });
assert.deepEqual(pet, { id: pet.id, ...added });
assert.equal(typeof pet.id, 'bigint');

const { data, etag, status } = await client.getPet(pet.id).withResponse();
assert.deepEqual([data, status], [pet, 200]);
assert.equal(await client.getPet(pet.id, { ifNoneMatch: etag }), undefined);
assert.equal(notices[0].sunset.getUTCFullYear(), 2030);

const { id: other } = await client.createPet({ name: 'Max', categoryId, status: 'sold' });
const walked = [];
for await (const { id } of client.listPets({ status: 'sold', limit: 1 })) walked.push(id);
assert.deepEqual(walked.slice(-2), [pet.id, other]);
const page = await client.listPets({ status: 'sold', limit: 1 }).page();
assert.equal(page.items.length, 1);
assert.equal(typeof page.nextCursor, 'string');

await assert.rejects(client.getPet(0n), (error) => {
  assert(error instanceof PetstoreError);
  assert.deepEqual([error.code, error.status], ['pet_not_found', 404]);
  return typeof error.requestId === 'string';
});
