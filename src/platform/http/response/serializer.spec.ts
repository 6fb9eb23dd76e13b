import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { readJson } from '../../values/json-reader';
import type { Operation } from '../operations/operation';
import { compileSerializer } from './serializer';

const document = {
  openapi: '3.0.3',
  info: { title: 'toys', version: '1' },
  paths: {
    '/toys/{toyId}': {
      get: {
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Toys' } } },
          },
          204: { description: '' },
        },
      },
    },
  },
  components: {
    schemas: {
      Toys: { type: 'array', items: { $ref: '#/components/schemas/Toy' } },
      Toy: {
        type: 'object',
        description: 'A toy.',
        example: { id: 1 },
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', format: 'int64', description: 'Number.', example: 7 },
          name: { type: 'string' },
          colour: { $ref: '#/components/schemas/Colour' },
        },
      },
      Colour: { type: 'string', enum: ['red', 'blue'] },
    },
  },
} as unknown as OpenAPIObject;

function operation(change: object = {}): Operation {
  return {
    id: 'listToys',
    method: 'GET',
    path: '/v1/toys/:toyId',
    response: { kind: 'page', status: 200 },
    ...change,
  } as Operation;
}

describe('compileSerializer', () => {
  const serialize = compileSerializer(operation(), document);

  it('writes documented members in their order, and no others', () => {
    const toy = { secret: 1, colour: 'red', name: 'Ball', id: 1n, toJSON: undefined };
    expect(serialize([toy])).toBe('[{"id":1,"name":"Ball","colour":"red"}]');
  });

  it('leaves out absent members', () => {
    expect(
      serialize([
        { id: 1n, name: '' },
        { id: 2n, name: 'x', colour: undefined },
      ]),
    ).toBe('[{"id":1,"name":""},{"id":2,"name":"x"}]');
    expect(serialize([])).toBe('[]');
  });

  it('writes members that are named like keywords of JSON Schema', () => {
    const names = ['description', 'example', 'items', 'properties', 'required', 'type'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }]));
    const components = document.components as { schemas: Record<string, object> };
    const Toy = { ...components.schemas.Toy, required: [], properties };
    const odd = { ...document, components: { schemas: { ...components.schemas, Toy } } } as OpenAPIObject;
    const toy = Object.fromEntries(names.map((name) => [name, name]));
    expect(JSON.parse(compileSerializer(operation(), odd)([toy]))).toEqual([toy]);
  });

  it('writes recursive schemas', () => {
    const components = document.components as { schemas: Record<string, { properties?: object }> };
    const inside = { type: 'array', items: { $ref: '#/components/schemas/Toy' } };
    const Toy = { ...components.schemas.Toy, properties: { ...components.schemas.Toy?.properties, inside } };
    const nested = { ...document, components: { schemas: { ...components.schemas, Toy } } } as OpenAPIObject;
    const box = { id: 1n, name: 'Box', inside: [{ id: 2n, name: 'Ball', inside: [] }] };
    expect(compileSerializer(operation(), nested)([box])).toBe(
      '[{"id":1,"name":"Box","inside":[{"id":2,"name":"Ball","inside":[]}]}]',
    );
  });

  it('refuses a value without a required member', () => {
    expect(() => serialize([{ id: 1n }])).toThrow('"name" is required');
  });

  it('keeps every int64 and every text exactly', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const name = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: int64, name }, { noNullPrototype: true }), { maxLength: 3 }),
        (toys) => {
          expect(readJson(Buffer.from(serialize(toys)))).toStrictEqual(toys);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['whose path is not documented', { path: '/v1/cars' }],
    ['whose method is not documented', { method: 'POST' }],
    ['whose status is not documented', { response: { kind: 'one', status: 201 } }],
    ['whose response has no schema', { response: { kind: 'one', status: 204 } }],
  ])('refuses an operation %s, and names it', (_case, change) => {
    expect(() => compileSerializer(operation(change), document)).toThrow(
      'The document has no schema for the success response of listToys.',
    );
  });
});
