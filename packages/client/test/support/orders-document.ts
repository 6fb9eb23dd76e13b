import type { ApiDocument, OperationObject, Parameter, Schema } from '../../generate/document.ts';

const ID: Parameter = {
  name: 'orderId',
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
};
const NAME: Parameter = { name: 'file-name', in: 'path', required: true, schema: { type: 'string' } };
const JSON_OF = (schema: Schema) => ({ 'application/json': { schema } });
const ORDER = JSON_OF({ $ref: '#/components/schemas/Order' });
const TAGGED = { headers: { ETag: {} }, content: ORDER };
const HEADER = (name: string): Parameter => ({ name, in: 'header', schema: { type: 'string' } });

/** Operations of a generated module, and some that ordinary Nest modules may have besides. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, OperationObject>>>> = {
  '/orders': {
    get: {
      operationId: 'listOrders',
      parameters: [
        { name: 'cursor', in: 'query', schema: { type: 'string' } },
        {
          name: 'pet-id',
          in: 'query',
          schema: { type: 'integer', format: 'int64' },
          description: 'Of this pet.',
        },
      ],
      responses: { 200: { ...TAGGED, content: JSON_OF({ $ref: '#/components/schemas/Orders' }) } },
    },
    post: {
      operationId: 'createOrder',
      parameters: [HEADER('Idempotency-Key')],
      requestBody: { required: true, content: JSON_OF({ $ref: '#/components/schemas/NewOrder' }) },
      responses: { 201: { content: ORDER }, 409: {} },
    },
  },
  '/orders/{orderId}': {
    get: { operationId: 'getOrder', parameters: [ID], responses: { 200: TAGGED } },
    patch: {
      operationId: 'updateOrder',
      summary: 'Update an order',
      parameters: [ID, HEADER('If-Match')],
      requestBody: {
        required: true,
        content: { 'application/merge-patch+json': { schema: { $ref: '#/components/schemas/OrderPatch' } } },
      },
      responses: { 200: TAGGED },
    },
    delete: {
      operationId: 'deleteOrder',
      deprecated: true,
      parameters: [ID, HEADER('If-Match')],
      responses: { 204: {} },
    },
  },
  '/orders/{orderId}/refund': {
    post: {
      operationId: 'refundOrder',
      parameters: [ID, HEADER('Idempotency-Key'), HEADER('If-Match')],
      responses: { 200: TAGGED, 409: {}, 412: {} },
    },
  },
  '/files/{file-name}': {
    put: {
      operationId: 'upload',
      parameters: [NAME],
      requestBody: { content: { 'multipart/form-data': {} } },
      responses: { 200: { content: JSON_OF({ type: 'object', properties: { size: { type: 'integer' } } }) } },
    },
    get: { operationId: 'download', parameters: [NAME], responses: { 200: { content: { 'text/csv': {} } } } },
  },
  '/news': { get: { operationId: 'news', responses: { 200: { content: { 'text/event-stream': {} } } } } },
};

/** A document of orders. */
export function ordersDocument(): ApiDocument {
  const items: Schema = { type: 'array', items: { $ref: '#/components/schemas/Order' } };
  const int64: Schema = { type: 'integer', format: 'int64' };
  const stage: Schema = { type: 'string', enum: ['placed', 'in transit'], nullable: true };
  return {
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: OPERATIONS,
    components: {
      schemas: {
        Error: { type: 'object' },
        Orders: items,
        Order: {
          type: 'object',
          required: ['id', 'count'],
          properties: {
            id: int64,
            count: { type: 'integer', description: 'How many. */' },
            parent: { allOf: [{ $ref: '#/components/schemas/Order' }] },
            parts: items,
            'ship-date': { type: 'string', format: 'date-time' },
            tags: { type: 'object', additionalProperties: int64 },
            anything: {},
          },
        },
        NewOrder: {
          type: 'object',
          required: ['petId'],
          properties: { petId: int64, gift: { type: 'boolean' } },
        },
        OrderPatch: { type: 'object', properties: { petId: int64, stage } },
        Note: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      },
    },
  };
}
