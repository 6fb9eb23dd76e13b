/** What the interface specification says, written out by hand. Parameters are keyed by name, arrays of objects by index. */
const ERROR_RESPONSE = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const PET_RESPONSE = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };
const API_KEY = { 0: { apiKey: [] } };
const NEW_PET_MEMBERS = {
  name: { type: 'string' },
  categoryId: { type: 'integer', format: 'int64' },
  status: { $ref: '#/components/schemas/PetStatus' },
};

export const SPECIFIED = {
  info: { version: '1.0.0' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: {
          limit: {
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
          status: { in: 'query', required: false, schema: { $ref: '#/components/schemas/PetStatus' } },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } } },
          401: ERROR_RESPONSE,
        },
        security: API_KEY,
      },
      post: {
        operationId: 'createPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
        responses: { 201: PET_RESPONSE, 400: ERROR_RESPONSE, 401: ERROR_RESPONSE },
        security: API_KEY,
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        deprecated: true,
        parameters: {
          petId: { in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
        },
        responses: { 200: PET_RESPONSE, 401: ERROR_RESPONSE, 404: ERROR_RESPONSE },
        security: API_KEY,
      },
    },
  },
  components: {
    schemas: {
      NewPet: { type: 'object', required: ['name', 'categoryId'], properties: NEW_PET_MEMBERS },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'categoryId'],
        properties: { id: { type: 'integer', format: 'int64' }, ...NEW_PET_MEMBERS },
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
      },
    },
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
  },
};

const LIST = 'paths > /pets > get';
const CREATE = 'paths > /pets > post';
const GET = 'paths > /pets/{petId} > get';

/**
 * Everything else the document has, by name: where it stands, `*` for any one step and a last `**` for all below. None is a
 * validation keyword on a schema of the specification.
 */
export const ADDITIONS: Readonly<Record<string, readonly string[]>> = {
  'the OpenAPI version': ['openapi'],
  'a title and an introduction': ['info > title', 'info > description'],
  'a contact and the licence': ['info > contact > name', 'info > license > name', 'info > license > url'],
  'a link to the guide': ['externalDocs > description', 'externalDocs > url'],
  servers: ['servers > 0 > url', 'servers > 0 > description'],
  'a tag': ['tags > 0 > name', 'tags > 0 > description', 'paths > * > * > tags'],
  'texts for operations': ['paths > * > * > summary', 'paths > * > * > description'],
  'texts for parameters': ['paths > * > * > parameters > * > description'],
  'texts for responses': ['paths > * > * > responses > * > description'],
  'texts for schemas': [
    'components > schemas > * > description',
    'components > schemas > * > properties > * > description',
  ],
  'a text for the security scheme': ['components > securitySchemes > apiKey > description'],
  'the cursor parameter': [
    `${LIST} > parameters > cursor > in`,
    `${LIST} > parameters > cursor > required`,
    `${LIST} > parameters > cursor > schema > type`,
    `${LIST} > parameters > cursor > schema > pattern`,
    `${LIST} > parameters > cursor > schema > maxLength`,
  ],
  'the Idempotency-Key of createPet, and its errors': [
    `${CREATE} > parameters > Idempotency-Key > **`,
    `${CREATE} > responses > 409 > content > application/json > schema > $ref`,
    `${CREATE} > responses > 409 > content > application/json > example > **`,
    `${CREATE} > responses > 422 > content > application/json > schema > $ref`,
    `${CREATE} > responses > 422 > content > application/json > example > **`,
  ],
  '400 on listPets': [`${LIST} > responses > 400 > content > application/json > schema > $ref`],
  'the default response': [
    'paths > * > * > responses > default > content > application/json > schema > $ref',
  ],
  'the X-Request-Id header': ['paths > * > * > responses > * > headers > X-Request-Id > **'],
  'the If-None-Match header': [
    `${LIST} > parameters > If-None-Match > **`,
    `${GET} > parameters > If-None-Match > **`,
  ],
  '304 without content where there is an entity tag': [
    `${LIST} > responses > 304 > description`,
    `${GET} > responses > 304 > description`,
  ],
  'the ETag header': [
    `${LIST} > responses > 200 > headers > ETag > **`,
    `${LIST} > responses > 304 > headers > ETag > **`,
    `${GET} > responses > 200 > headers > ETag > **`,
    `${GET} > responses > 304 > headers > ETag > **`,
  ],
  'the Link header of pages': [
    `${LIST} > responses > 200 > headers > Link > **`,
    `${LIST} > responses > 304 > headers > Link > **`,
  ],
  'the Location header': [`${CREATE} > responses > 201 > headers > Location > **`],
  'the WWW-Authenticate header': ['paths > * > * > responses > 401 > headers > WWW-Authenticate > **'],
  'the headers of rate limits, where there is a key': [
    'paths > * > * > responses > * > headers > RateLimit > **',
    'paths > * > * > responses > * > headers > RateLimit-Policy > **',
  ],
  'the Retry-After header': [
    'paths > * > * > responses > default > headers > Retry-After > **',
    `${CREATE} > responses > 409 > headers > Retry-After > **`,
  ],
  'the Idempotency-Replayed header': [`${CREATE} > responses > 201 > headers > Idempotency-Replayed > **`],
  'the headers of a deprecated operation': [
    `${GET} > responses > * > headers > Deprecation > **`,
    `${GET} > responses > * > headers > Sunset > **`,
    `${GET} > responses > * > headers > Link > **`,
  ],
  'an example of the path parameter': [`${GET} > parameters > petId > schema > example`],
  'examples of bodies': [
    `${CREATE} > requestBody > content > application/json > example > **`,
    `${LIST} > responses > 200 > content > application/json > example > **`,
    `${CREATE} > responses > 201 > content > application/json > example > **`,
    `${GET} > responses > 200 > content > application/json > example > **`,
  ],
  'examples of errors': [
    'paths > * > * > responses > * > content > application/json > examples > * > summary',
    'paths > * > * > responses > * > content > application/json > examples > * > value > code',
    'paths > * > * > responses > * > content > application/json > examples > * > value > message',
    'paths > * > * > responses > * > content > application/json > examples > * > value > status',
    `${GET} > responses > 404 > content > application/json > example > **`,
  ],
  'examples of schemas': [
    'components > schemas > * > example > **',
    'components > schemas > PetStatus > example',
    'components > schemas > * > properties > * > example',
  ],
};
