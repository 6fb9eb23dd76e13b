/** A small interface that has one of everything. */
export function sampleDocument() {
  const error = { description: 'Not found', content: { 'application/json': { schema: { type: 'object' } } } };
  return {
    openapi: '3.0.3',
    servers: [{ url: '/v1' }],
    security: [{ key: [] as string[] }],
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          parameters: [
            {
              name: 'limit',
              in: 'query',
              required: false,
              schema: { type: 'integer', maximum: 100, default: 20 },
            },
            { $ref: '#/components/parameters/Status' },
          ] as object[],
          responses: {
            200: {
              description: 'A page',
              headers: { Link: { required: true, schema: { type: 'string' } } } as Record<string, object>,
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
                },
              },
            },
            400: error,
          } as Record<string, object>,
        },
        post: {
          operationId: 'addPet',
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/NewPet' } },
            } as Record<string, object>,
          },
          responses: { 201: { description: 'Added' } } as Record<string, object>,
        },
      },
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        delete: { operationId: 'removePet', deprecated: true, responses: { 204: { description: 'Gone' } } },
      },
    } as Record<string, Record<string, object>>,
    components: {
      parameters: {
        Status: { name: 'status', in: 'query', schema: { $ref: '#/components/schemas/Status' } },
      },
      schemas: {
        Status: { type: 'string', enum: ['available', 'sold'] },
        Tag: { oneOf: [{ type: 'string' }, { type: 'integer' }] } as Record<string, unknown>,
        Pet: {
          allOf: [{ $ref: '#/components/schemas/NewPet' }],
          required: ['id'],
          properties: { id: { type: 'integer' }, mother: { $ref: '#/components/schemas/Pet' } },
        },
        NewPet: {
          type: 'object',
          required: ['name'],
          additionalProperties: true,
          properties: {
            name: { type: 'string', maxLength: 50 },
            weight: { type: 'number' },
            tag: { $ref: '#/components/schemas/Tag' },
          } as Record<string, object>,
        },
      },
    },
  };
}

export type SampleDocument = ReturnType<typeof sampleDocument>;

/** The operation that lists. */
export const listOf = ({ paths }: SampleDocument) =>
  paths['/pets']?.get as never as {
    operationId: string;
    deprecated?: boolean;
    security?: object[];
    parameters: Record<string, unknown>[];
    responses: Record<
      string,
      { headers: Record<string, Record<string, unknown>>; content: Record<string, object> }
    >;
  };
/** The operation that adds. */
export const addOf = ({ paths }: SampleDocument) =>
  paths['/pets']?.post as never as {
    requestBody?: { required: boolean; content: Record<string, object> };
    responses: Record<string, object>;
  };
/** A member of what is sent and, through `allOf`, of what is got. */
export const memberOf = ({ components }: SampleDocument, name: string) =>
  components.schemas.NewPet.properties[name] as Record<string, unknown>;
