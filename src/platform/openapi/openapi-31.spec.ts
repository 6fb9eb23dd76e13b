import type { OpenAPIObject } from '@nestjs/swagger';
import { openapi31 } from './openapi-31';

function schema31(schema: object): unknown {
  const document = { openapi: '3.0.3', info: {}, paths: {}, components: { schemas: { One: schema } } };
  return openapi31(document as unknown as OpenAPIObject, () => []).components?.schemas?.['One'];
}

describe('A schema in OpenAPI 3.1', () => {
  it.each<[title: string, schema30: object, expected: object]>([
    [
      'may be null by its type',
      { type: 'string', nullable: true, enum: ['x', null] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      'may be null beside what others say',
      { description: 'One.', allOf: [{ $ref: '#/components/schemas/B' }], nullable: true },
      {
        description: 'One.',
        anyOf: [{ allOf: [{ $ref: '#/components/schemas/B' }] }, { type: 'null' }],
      },
    ],
    [
      'has excluded limits as numbers',
      { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { exclusiveMinimum: 0, maximum: 9 },
    ],
    [
      'has an excluded highest value as a number',
      { maximum: 9, exclusiveMaximum: true },
      { exclusiveMaximum: 9 },
    ],
    ['has examples', { type: 'integer', example: 3 }, { type: 'integer', examples: [3] }],
    [
      'has a file by its media type',
      { type: 'string', format: 'binary' },
      { type: 'string', contentMediaType: 'application/octet-stream' },
    ],
    [
      'keeps members whose names are keywords, and data that looks like a schema',
      {
        properties: {
          example: { type: 'string', example: 'a' },
          nullable: { nullable: true, type: 'boolean' },
        },
        default: { nullable: true, type: 'a' },
      },
      {
        properties: { example: { type: 'string', examples: ['a'] }, nullable: { type: ['boolean', 'null'] } },
        default: { nullable: true, type: 'a' },
      },
    ],
    [
      'is converted wherever it stands in another',
      { items: { nullable: true, type: 'string' }, oneOf: [{ example: 1 }], additionalProperties: false },
      { items: { type: ['string', 'null'] }, oneOf: [{ examples: [1] }], additionalProperties: false },
    ],
  ])('is converted from 3.0: %s', (_title, schema30, expected) => {
    expect(schema31(schema30)).toEqual(expected);
  });

  it('keeps the examples of responses unchanged', () => {
    const content = {
      'application/json': { schema: { example: 1 }, example: { nullable: true, example: 2 } },
    };
    const get = { operationId: 'one', security: [{ apiKey: [] }], responses: { 200: { content } } };
    const document = { openapi: '3.0.3', info: {}, paths: { '/a': { get } } } as unknown as OpenAPIObject;
    const twin = openapi31(document, (id) => [`${id}:read`]);
    expect(twin.openapi).toBe('3.1.0');
    expect(twin.paths['/a']?.get).toEqual({
      operationId: 'one',
      security: [{ apiKey: ['one:read'] }],
      responses: {
        200: {
          content: {
            'application/json': { schema: { examples: [1] }, example: { nullable: true, example: 2 } },
          },
        },
      },
    });
    expect(document.openapi).toBe('3.0.3');
  });
});
