// Uses the generated modules by the TypeScript client of the folder it is in.
import assert from 'node:assert/strict';
import { PetstoreClient } from '../../../packages/client/src/index.ts';

const client = new PetstoreClient({
  baseUrl: process.env.PETSTORE_URL,
  apiKey: process.env.PETSTORE_API_KEY,
});
const AFTER = 2n ** 63n - 1n;

const pet = await client.createPet({ name: 'Rex', categoryId: 1n });
const category = await client.createCategory({ name: `Dogs ${process.pid}` });
const order = await client.createOrder({ petId: pet.id, categoryId: category.id, quantity: 1, note: 'soon' });
const change = await client.createStatusChange({
  description: 'late',
  after: AFTER,
  ratio: 0.5,
  required: true,
  format: '2026-12-24',
  at: '2026-12-24T18:00:00Z',
  token: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  type: 'done',
  orderId: order.id,
  steps: [
    { petId: pet.id, minutes: 5 },
    { petId: pet.id, kind: 'b' },
  ],
});
assert.deepEqual([change.after, change.orderId, change.ratio], [AFTER, order.id, 0.5]);
assert.deepEqual(change.steps, [
  { petId: pet.id, minutes: 5 },
  { petId: pet.id, kind: 'b' },
]);

const found = [];
for await (const { id } of client.listStatusChanges({ orderId: order.id, limit: 1 })) found.push(id);
assert.deepEqual(found, [change.id]);

const { etag } = await client.getOrder(order.id).withResponse();
const updated = await client.updateOrder(order.id, { quantity: 2, note: null }, { ifMatch: etag });
assert.deepEqual(updated, { id: order.id, petId: pet.id, categoryId: category.id, quantity: 2 });
const refusedWith = (code) => (error) => error.code === code;
await assert.rejects(
  client.updateOrder(order.id, { quantity: 3 }, { ifMatch: etag }),
  refusedWith('precondition_failed'),
);
await assert.rejects(client.deleteOrder(order.id, { ifMatch: etag }), refusedWith('precondition_failed'));
await assert.rejects(client.deleteOrder(order.id), refusedWith('still_referenced'));

assert.equal(await client.deleteStatusChange(change.id), undefined);
await client.deleteOrder(order.id);
await assert.rejects(client.getOrder(order.id), refusedWith('order_not_found'));
