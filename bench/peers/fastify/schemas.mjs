const STATUS = { type: 'string', enum: ['available', 'pending', 'sold'] };

const PET = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: STATUS,
  },
};

const ERROR = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};

const ERRORS = { '4xx': ERROR, '5xx': ERROR };

/** What Fastify validates requests by and compiles its serializers from. */
export const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      status: STATUS,
      cursor: { type: 'string' },
    },
  },
  response: { 200: { type: 'array', items: PET }, ...ERRORS },
};

export const getSchema = {
  params: {
    type: 'object',
    required: ['petId'],
    properties: { petId: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' } },
  },
  response: { 200: PET, ...ERRORS },
};

export const createSchema = {
  body: {
    type: 'object',
    required: ['name', 'categoryId'],
    properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status: STATUS },
  },
  response: { 201: PET, ...ERRORS },
};
