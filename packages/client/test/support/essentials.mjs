// Everything a client has to be able to do with the service of today: every release runs this on the project's Node.js, the
// present one on every runtime. The only argument is the module to import.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

const { PetstoreClient, PetstoreError } = await import(process.argv[2]);
const apiKey = process.env.PETSTORE_API_KEY;
const notices = [];
const client = new PetstoreClient({
  baseUrl: process.env.PETSTORE_URL,
  apiKey,
  onDeprecation: (notice) => notices.push(notice),
});
/** Names the pets of this run: others may have added pets. */
const run = crypto.randomUUID();

// Creation and reading, 64-bit integers exact both ways.
const integers = [0n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const added = [];
for (const categoryId of integers) {
  const wanted = { name: run, categoryId, status: 'sold' };
  const pet = await client.createPet(wanted);
  assert.deepEqual(pet, { id: pet.id, ...wanted });
  assert.equal(typeof pet.id, 'bigint');
  assert.deepEqual(await client.getPet(pet.id), pet);
  added.push(pet);
}

// A list over all its pages, and one page of it.
const walked = [];
for await (const pet of client.listPets({ status: 'sold', limit: 2 })) walked.push(pet);
assert.deepEqual(
  walked.filter(({ name }) => name === run),
  added,
);
const page = await client.listPets({ status: 'sold', limit: 1 }).page();
assert.equal(page.items.length, 1);
assert.equal(typeof page.nextCursor, 'string');

// Headers: entity tags, deprecations.
const [{ id }] = added;
const { data, etag, status } = await client.getPet(id).withResponse();
assert.deepEqual([data, status], [added[0], 200]);
assert.equal(await client.getPet(id, { ifNoneMatch: etag }), undefined);
assert.equal(notices[0].sunset.getUTCFullYear(), 2030);

// Errors.
await assert.rejects(client.getPet(0n), (error) => {
  assert(error instanceof PetstoreError);
  assert.deepEqual([error.code, error.status], ['pet_not_found', 404]);
  return typeof error.requestId === 'string';
});
const reused = { idempotencyKey: run };
await client.createPet({ name: 'Rex', categoryId: 1n }, reused);
await assert.rejects(client.createPet({ name: 'Max', categoryId: 1n }, reused), {
  code: 'idempotency_key_reused',
});

// Retries with a key: this address cuts the first connections, each after more bytes than the one before.
const through = new PetstoreClient({ baseUrl: process.env.PETSTORE_CUT_URL, apiKey, budget: 60_000 });
const created = [];
let replays = 0;
for (let number = 0; number < 3; number++) {
  const response = await through.createPet({ name: `${run} ${number}`, categoryId: 1n }).withResponse();
  if (response.headers.has('idempotency-replayed')) replays++;
  created.push(response.data.id);
}
// At least one creation was done although its first response was cut off.
assert(replays > 0);
const found = [];
for await (const pet of client.listPets({ limit: 100 })) {
  if (pet.name.startsWith(`${run} `)) found.push(pet.id);
}
assert.deepEqual(found, created);

// Aborts and time limits, at an address that accepts connections and never responds.
const controller = new AbortController();
const reason = new Error('enough');
const sockets = [];
const silent = createServer((socket) => {
  sockets.push(socket.on('error', () => undefined));
  controller.abort(reason);
}).listen(0, '127.0.0.1');
await once(silent, 'listening');
const silenced = new PetstoreClient({ baseUrl: `http://127.0.0.1:${silent.address().port}`, apiKey });
await assert.rejects(
  silenced.getPet(1n, { signal: controller.signal }),
  (error) => error === controller.signal.reason,
);
const impatient = new PetstoreClient({
  baseUrl: `http://127.0.0.1:${silent.address().port}`,
  apiKey,
  attemptTimeout: 50,
  budget: 100,
});
await assert.rejects(impatient.getPet(1n), { name: 'PetstoreError', code: 'timeout' });
for (const socket of sockets) socket.destroy();
silent.close();

// A walk that is aborted ends with the reason, too; one that is left requests nothing more.
const walk = new AbortController();
await assert.rejects(
  async () => {
    for await (const pet of client.listPets({ limit: 1 }, { signal: walk.signal })) walk.abort(pet);
  },
  ({ id: first }) => typeof first === 'bigint',
);
for await (const pet of client.listPets({ limit: 1 })) {
  assert.equal(typeof pet.id, 'bigint');
  break;
}

process.stdout.write('done\n');
