import type { Operation } from './operation';
import { recordChangeOf } from './record-change';

class Order {}
class Note {}
class Receipt {}

const KINDS = new Map([[Order, 'orders']]);

const operation = (method: string, path: string, kind: string, type?: unknown) =>
  ({ method, path, response: { kind, status: 200, type } }) as unknown as Operation;

const OPERATIONS = {
  list: operation('GET', '/v1/orders', 'page', Order),
  create: operation('POST', '/v1/orders', 'created', Order),
  createBelow: operation('POST', '/v1/customers/:customerId/orders', 'created', Order),
  get: operation('GET', '/v1/orders/:orderId', 'one', Order),
  update: operation('PATCH', '/v1/orders/:orderId', 'one', Order),
  remove: operation('DELETE', '/v1/orders/:orderId', 'nothing'),
  pay: operation('POST', '/v1/orders/:orderId/pay', 'one', Receipt),
  addNote: operation('POST', '/v1/orders/:orderId/notes', 'created', Note),
  removeNote: operation('DELETE', '/v1/orders/:orderId/notes/:noteId', 'nothing'),
  updateElsewhere: operation('PATCH', '/v1/customers/:customerId/orders/:orderNumber', 'one', Order),
  search: operation('POST', '/v1/orders/search', 'page', Order),
  merge: operation('POST', '/v1/orders/merge', 'one', Order),
  removeCustomer: operation('DELETE', '/v1/customers/:customerId', 'nothing'),
};

describe('The change that an operation makes to a record', () => {
  it.each([
    ['create', { kind: 'orders', verb: 'create' }],
    ['createBelow', { kind: 'orders', verb: 'create' }],
    ['update', { kind: 'orders', verb: 'update', parameter: 'orderId' }],
    ['remove', { kind: 'orders', verb: 'remove', parameter: 'orderId' }],
    ['pay', { kind: 'orders', verb: 'update', parameter: 'orderId' }],
    ['addNote', { kind: 'orders', verb: 'update', parameter: 'orderId' }],
    ['removeNote', { kind: 'orders', verb: 'update', parameter: 'orderId' }],
    ['updateElsewhere', { kind: 'orders', verb: 'update', parameter: 'orderNumber' }],
    ['list', undefined],
    ['get', undefined],
    ['search', undefined],
    ['merge', undefined],
    ['removeCustomer', undefined],
  ] as const)('is derived from its path and its responses: %s', (name, expected) => {
    expect(recordChangeOf(OPERATIONS[name], Object.values(OPERATIONS), KINDS)).toEqual(expected);
  });
});
