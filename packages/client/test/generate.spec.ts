import { join } from 'node:path';
import { type ClientSource, writeClient } from '../generate/client-source.ts';
import type { OperationObject, Schema } from '../generate/document.ts';
import { shapesOf } from '../generate/shapes.ts';
import { ordersDocument } from './support/orders-document.ts';

const CLIENT = join(__dirname, '..');

/** Text on one line, so that line breaks of the formatter do not matter. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/([({]) | (?=[)}])|,(?= ?[)}])/g, '$1');
}

describe('The generated code of the client', () => {
  let source: ClientSource;
  beforeAll(async () => {
    source = await writeClient(ordersDocument(), CLIENT);
  });

  it.each([
    'listOrders(query?: types.ListOrdersQuery, options?: CallOptions): List<types.Order>',
    'createOrder(body: types.NewOrder, options?: CreationOptions): Call<types.Order>',
    'getOrder(orderId: bigint, options?: CallOptions & {readonly ifNoneMatch?: undefined}): Call<types.Order>;',
    'getOrder(orderId: bigint, options: ConditionalOptions): Call<types.Order | undefined>;',
    '/** Update an order. */ updateOrder(orderId: bigint, body: types.OrderPatch, options?: ChangeOptions): Call<types.Order>',
    '/** @deprecated */ deleteOrder(orderId: bigint, options?: ChangeOptions): Call<void>',
    'refundOrder(orderId: bigint, options?: CreationOptions & ChangeOptions): Call<types.Order>',
    'upload(fileName: string, body?: FormData, options?: CallOptions): Call<{size?: number | undefined;}>',
    'download(fileName: string, options?: CallOptions): Call<Blob>',
    "method: 'PATCH', path: `/orders/${orderId}`, numbers: {orderId}, body, bodyType: 'application/merge-patch+json'",
    'path: `/files/${encodeURIComponent(fileName)}`, options, isFile: true',
    "new Requests(options, '/v1', {",
  ])('has a method for each operation: %s', (text) => {
    expect(flat(source['generated/petstore-client.ts'])).toContain(text);
  });

  it.each([
    'export type Orders = Order[];',
    'id: bigint; /** How many. *\\/ */ count: number; parent?: Order | undefined; parts?: Order[] | undefined;',
    "'ship-date'?: string | undefined; tags?: Record<string, bigint> | undefined; anything?: unknown;",
    "export interface OrderPatch {petId?: bigint | undefined; stage?: 'placed' | 'in transit' | null | undefined;}",
    "'pet-id'?: bigint | undefined;",
  ])('has a type for each schema: %s', (text) => {
    expect(flat(source['generated/types.ts'])).toContain(text);
  });

  it('has no method for a stream of events, and no type for the shape of errors', () => {
    expect(source['generated/petstore-client.ts']).not.toContain('news');
    expect(source['generated/types.ts']).not.toMatch(/(?:interface|type) Error\b/);
  });

  it('lists the paths of 64-bit integers, in recursive schemas too', () => {
    expect(Object.fromEntries(shapesOf(ordersDocument()))).toEqual({
      Orders: ['Order'],
      Order: { id: true, parent: 'Order', parts: ['Order'], tags: { '*': true } },
      NewOrder: { petId: true },
      OrderPatch: { petId: true },
    });
  });

  it.each<[string, Schema | string, string]>([
    [
      'a reference out of the document',
      { $ref: 'other.json#/Pet' },
      'No type can be named after the reference other.json#/Pet.',
    ],
    [
      'integers that depend on which of two schemas is meant',
      {
        oneOf: [
          { type: 'integer', format: 'int64' },
          { type: 'array', items: { type: 'integer', format: 'int64' } },
        ],
      },
      'The client cannot tell which of several schemas with 64-bit integers a value has',
    ],
    ['a name that no method can have', 'get-order', 'No method can be called get-order.'],
  ])('is refused for a document with %s', async (_what, fault, message) => {
    const operation: OperationObject =
      typeof fault === 'string'
        ? { operationId: fault, responses: {} }
        : { operationId: 'ask', responses: { 200: { content: { 'application/json': { schema: fault } } } } };
    const document = { ...ordersDocument(), paths: { '/x': { get: operation } } };
    await expect(writeClient(document, CLIENT)).rejects.toThrow(message);
  });
});
