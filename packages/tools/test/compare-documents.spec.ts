import { addOf, listOf, memberOf, type SampleDocument, sampleDocument } from './sample-document';
import type { Change } from '../src/openapi/change';
import { compareDocuments } from '../src/openapi/compare-documents';
import { OpenapiDocument } from '../src/openapi/document-node';

function changesAfter(change: (shop: SampleDocument) => void): Change[] {
  const after = sampleDocument();
  change(after);
  return compareDocuments(new OpenapiDocument(sampleDocument()), new OpenapiDocument(after));
}

/** Cases: a change of the shop and every line to be reported for it, with `!` before breaking changes. */
const CASES: [title: string, change: (shop: SampleDocument) => void, lines: string[]][] = [
  ['nothing', () => undefined, []],
  [
    'texts, examples and the names of schemas',
    (shop) => {
      listOf(shop).parameters[0] = { ...listOf(shop).parameters[0], description: 'How many', example: 3 };
      Object.assign(shop.components.schemas, { Animal: shop.components.schemas.Pet });
      Object.assign(listOf(shop).responses[200]?.content['application/json'] ?? {}, {
        schema: { type: 'array', items: { $ref: '#/components/schemas/Animal' } },
      });
    },
    [],
  ],
  [
    'a path less',
    (shop) => delete shop.paths['/pets/{petId}'],
    ['!DELETE /pets/{petId}: The operation, which was deprecated, is removed.'],
  ],
  [
    'an operation less',
    (shop) => delete shop.paths['/pets']?.post,
    ['!POST /pets: The operation is removed.'],
  ],
  [
    'an operation more',
    (shop) => Object.assign(shop.paths['/pets'] ?? {}, { put: { responses: {} } }),
    ['PUT /pets: The operation is added.'],
  ],
  [
    'another name of a parameter in a path',
    (shop) => {
      const { '/pets/{petId}': item, ...others } = shop.paths;
      const renamed = {
        ...item,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      };
      shop.paths = { ...others, '/pets/{id}': renamed };
    },
    [],
  ],
  [
    'another start of every path',
    (shop) => (shop.servers = [{ url: '/v2' }]),
    ['!servers: Paths now begin with /v2 instead of /v1.'],
  ],
  ['another host', (shop) => (shop.servers = [{ url: 'https://shop.example.com/v1/' }]), []],
  [
    'a deprecation and another operationId',
    (shop) => Object.assign(listOf(shop), { deprecated: true, operationId: 'list' }),
    [
      'GET /pets: The operationId was changed: generated clients name functions by it.',
      'GET /pets: The operation is deprecated.',
    ],
  ],
  [
    'a parameter less',
    (shop) => listOf(shop).parameters.pop(),
    ['!GET /pets, query parameter status: The parameter is removed.'],
  ],
  [
    'an optional parameter more',
    (shop) => listOf(shop).parameters.push({ name: 'q', in: 'query' }),
    ['GET /pets, query parameter q: The parameter is added.'],
  ],
  [
    'a required parameter more',
    (shop) => listOf(shop).parameters.push({ name: 'X-Shop', in: 'header', required: true }),
    ['!GET /pets, header parameter x-shop: The parameter is added, and is required.'],
  ],
  [
    'a parameter that is required',
    (shop) => Object.assign(listOf(shop).parameters[0] ?? {}, { required: true }),
    ['!GET /pets, query parameter limit: The parameter is now required.'],
  ],
  [
    'another default and less room of a parameter',
    (shop) =>
      Object.assign(listOf(shop).parameters[0] ?? {}, {
        schema: { type: 'integer', maximum: 50, default: 10 },
      }),
    [
      '!GET /pets, query parameter limit: Its maximum is now 50; it was 100.',
      '!GET /pets, query parameter limit: Its default is now 10; it was 20.',
    ],
  ],
  [
    'fewer values, sent and got',
    (shop) => (shop.components.schemas.Status.enum = ['available']),
    ['!GET /pets, query parameter status: The value "sold" was removed.'],
  ],
  [
    'more values that may be sent',
    (shop) => shop.components.schemas.Status.enum.push('lost'),
    ['GET /pets, query parameter status: The value "lost" is now possible.'],
  ],
  ['a body no more', (shop) => delete addOf(shop).requestBody, ['!POST /pets, body: The body is removed.']],
  [
    'a body that may be left out, in one more form',
    (shop) => {
      const body = addOf(shop).requestBody;
      if (body) addOf(shop).requestBody = { required: false, content: { ...body.content, 'text/csv': {} } };
    },
    [
      'POST /pets, body: The body is no longer required.',
      'POST /pets, body text/csv: The media type is added.',
    ],
  ],
  [
    'a required member more: sent it breaks, got it does not',
    (shop) => {
      shop.components.schemas.NewPet.properties.colour = { type: 'string' };
      shop.components.schemas.NewPet.required.push('colour');
    },
    [
      'GET /pets, 200 application/json, [].colour: The member is added.',
      '!POST /pets, body application/json, colour: The member is added, and is required.',
    ],
  ],
  [
    'a member less, also deep within',
    (shop) => delete shop.components.schemas.NewPet.properties.weight,
    [
      '!GET /pets, 200 application/json, [].weight: The member is removed.',
      '!POST /pets, body application/json, weight: The member is removed.',
    ],
  ],
  [
    'a member that may be left out: got it breaks, sent it does not',
    (shop) => (shop.components.schemas.NewPet.required = []),
    [
      '!GET /pets, 200 application/json, [].name: The member is no longer required.',
      'POST /pets, body application/json, name: The member is no longer required.',
    ],
  ],
  [
    'a wider limit: got it breaks, sent it does not',
    (shop) => Object.assign(memberOf(shop, 'name'), { maxLength: 80 }),
    [
      '!GET /pets, 200 application/json, [].name: Its maxLength is now 80; it was 50.',
      'POST /pets, body application/json, name: Its maxLength is now 80; it was 50.',
    ],
  ],
  [
    'a narrower type: sent it breaks, got it does not',
    (shop) => Object.assign(memberOf(shop, 'weight'), { type: 'integer' }),
    [
      'GET /pets, 200 application/json, [].weight: The type number was removed.',
      '!POST /pets, body application/json, weight: The type number was removed.',
    ],
  ],
  [
    'null where there was none',
    (shop) => Object.assign(memberOf(shop, 'weight'), { nullable: true }),
    [
      '!GET /pets, 200 application/json, [].weight: The type null is now possible.',
      'POST /pets, body application/json, weight: The type null is now possible.',
    ],
  ],
  [
    'another format, which breaks both ways',
    (shop) => Object.assign(memberOf(shop, 'name'), { pattern: '^[A-Z]' }),
    [
      'GET /pets, 200 application/json, [].name: Its pattern is now "^[A-Z]"; it was not set before.',
      '!POST /pets, body application/json, name: Its pattern is now "^[A-Z]"; it was not set before.',
    ],
  ],
  [
    'an alternative less',
    (shop) => (shop.components.schemas.Tag = { oneOf: [{ type: 'integer' }] }),
    ['!POST /pets, body application/json, tag: The alternative string is no longer accepted.'],
  ],
  [
    'an alternative more',
    (shop) =>
      (shop.components.schemas.Tag = {
        anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }],
      }),
    ['!GET /pets, 200 application/json, [].tag: The alternative boolean may now be returned.'],
  ],
  [
    'members without a name refused',
    (shop) => (shop.components.schemas.NewPet.additionalProperties = false),
    [
      'GET /pets, 200 application/json, []: Members that are not declared are now refused.',
      '!POST /pets, body application/json: Members that are not declared are now refused.',
    ],
  ],
  [
    'another status of success',
    (shop) => (addOf(shop).responses = { 200: { description: 'Added' } }),
    ['!POST /pets, 200: The status is added.', '!POST /pets, 201: The status is removed.'],
  ],
  [
    'other errors',
    (shop) => {
      const { 400: error, ...others } = listOf(shop).responses;
      listOf(shop).responses = { ...others, ...(error && { 422: error }) };
    },
    ['GET /pets, 400: The status is removed.', 'GET /pets, 422: The status is added.'],
  ],
  [
    'a header less, and one more',
    (shop) => Object.assign(listOf(shop).responses[200] ?? {}, { headers: { ETag: {} } }),
    [
      '!GET /pets, 200, header link: The header is removed.',
      'GET /pets, 200, header etag: The header is added.',
    ],
  ],
  [
    'a header that may be left out',
    (shop) => Object.assign(listOf(shop).responses[200]?.headers.Link ?? {}, { required: false }),
    ['!GET /pets, 200, header link: The header may now be left out.'],
  ],
  [
    'a second key beside the first',
    (shop) => (listOf(shop).security = [{ key: [], shop: [] }]),
    ['!GET /pets: A request with key is no longer enough.'],
  ],
  [
    'another key instead, if one likes',
    (shop) => (listOf(shop).security = [{ key: [] }, { cookie: [] }]),
    [],
  ],
  ['no key at all', (shop) => (listOf(shop).security = []), []],
];

describe('The comparison of two OpenAPI documents', () => {
  it.each(CASES)('reports what changes for clients with %s', (_title, change, lines) => {
    const said = changesAfter(change).map(
      ({ severity, where, what }) => `${severity === 'breaking' ? '!' : ''}${where}: ${what}`,
    );
    expect(said).toEqual(lines);
  });
});

describe('A document that cannot be compared', () => {
  it.each<[string, unknown, RegExp]>([
    ['no object', 'hello', /not an OpenAPI 3 document/],
    ['Swagger 2', { swagger: '2.0', paths: { '/': {} } }, /not an OpenAPI 3 document/],
    ['without paths', { openapi: '3.1.0', paths: {} }, /no paths/],
  ])('is refused: %s', (_title, value, reason) => {
    expect(() => new OpenapiDocument(value)).toThrow(reason);
  });

  it.each<[string, RegExp]>([
    ['#/components/schemas/Missing', /does not resolve/],
    ['other.yaml#/Pet', /outside the document: bundle it/],
    ['#/components/schemas/Tag', /leads to itself/],
  ])('is refused for a reference that cannot be followed: %s', ($ref, reason) => {
    expect(() => changesAfter((shop) => (shop.components.schemas.Tag = { $ref }))).toThrow(reason);
  });
});
