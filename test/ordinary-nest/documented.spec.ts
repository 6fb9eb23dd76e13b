import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { ReadersModule } from './readers.module';

interface Documented {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Record<string, { description: string; headers: object }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Documented>>;
  readonly components: {
    readonly schemas: Record<string, { properties: object; required?: string[]; example?: unknown }>;
  };
}

describe('The document of a module written as Nest documents it', () => {
  let service: TestService;
  let document: Document;

  beforeAll(async () => {
    service = await withFeatures({ ReadersModule }, () => startTestService('sqlite'));
    document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as Document;
  });
  afterAll(() => service.stop());

  const schema = (name: string) => {
    const found = document.components.schemas[name];
    if (!found) throw new Error(`There is no schema ${name}.`);
    return found;
  };

  it('shows the rules of class-validator, without a decorator of its own', () => {
    expect(schema('NewReaderDto').properties).toEqual({
      name: { type: 'string', minLength: 2, maxLength: 40 },
      nick: { type: 'string', minLength: 3 },
      code: { type: 'string', pattern: '^[a-z]+$' },
      word: { type: 'string' },
      age: { type: 'integer', minimum: 6, maximum: 120 },
      height: { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
      debt: { type: 'number', maximum: 0, exclusiveMaximum: true },
      email: { type: 'string', format: 'email' },
      card: { type: 'string', format: 'uuid' },
      page: { type: 'string', format: 'uri' },
      host: { type: 'string', format: 'hostname' },
      address4: { type: 'string', format: 'ipv4' },
      born: { type: 'string', format: 'date-time' },
      language: { type: 'string', enum: ['de', 'en'] },
      level: { type: 'string', enum: ['guest', 'member'] },
      shelf: { type: 'number', enum: [0, 1] },
      agreed: { type: 'boolean', enum: [true] },
      active: { type: 'boolean' },
      flag: { type: 'string', enum: ['true', 'false', '1', '0'] },
      reason: { type: 'string' },
      tags: {
        type: 'array',
        items: { type: 'string', maxLength: 10 },
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
      },
      levels: { type: 'array', items: { type: 'string', enum: ['guest', 'member'] }, minItems: 1 },
      anything: { type: 'array', items: {} },
      home: { $ref: '#/components/schemas/AddressDto' },
      addresses: { type: 'array', items: { $ref: '#/components/schemas/AddressDto' } },
      since: { type: 'string', format: 'date-time' },
    });
    expect(schema('AddressDto').properties).toEqual({
      street: { type: 'string', maxLength: 80 },
      other: { $ref: '#/components/schemas/AddressDto' },
    });
  });

  it('lists exactly the required members as required', () => {
    const { properties, required } = schema('NewReaderDto');
    expect(Object.keys(properties).filter((name) => !required?.includes(name))).toEqual(['code', 'reason']);
  });

  it('shows a PartialType with the same rules and without required members', () => {
    const { properties, required } = schema('ReaderPatchDto');
    expect(required).toBeUndefined();
    expect(properties).toMatchObject({
      name: { type: 'string', minLength: 2, maxLength: 40 },
      age: { type: 'integer', minimum: 6, maximum: 120 },
      tags: { type: 'array', items: { type: 'string', maxLength: 10 } },
      addresses: { type: 'array', items: { $ref: '#/components/schemas/AddressDto' } },
    });
  });

  it('shows what @ApiProperty() states, and completes it', () => {
    expect(schema('StatedDto')).toMatchObject({
      properties: {
        name: { type: 'string', maxLength: 5, description: 'A short name.' },
        age: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string', maxLength: 10 }, maxItems: 2, example: ['a'] },
        level: { $ref: '#/components/schemas/Level' },
      },
      required: ['name', 'age', 'tags', 'level'],
    });
  });

  it('shows the parameters of a query', () => {
    expect(document.paths['/readers']?.['get']?.parameters).toEqual([
      {
        name: 'page',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string', enum: ['name', 'age'] } },
    ]);
  });

  it('invents no example for a member without one', () => {
    expect(schema('NewReaderDto')).not.toHaveProperty('example');
    expect(schema('ReaderDto').example).toEqual({ name: 'Ana' });
  });

  it('describes each response, and promises no header field that is not sent', () => {
    const { get, post, patch } = document.paths['/readers'] ?? {};
    const described = [get, post, patch].map((operation) =>
      Object.entries(operation?.responses ?? {})
        .slice(0, 1)
        .map(([status, { description, headers }]) => [status, description, Object.keys(headers)]),
    );
    expect(described).toEqual([
      [['200', 'OK.', ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']]],
      [['201', 'Created.', ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']]],
      [['202', 'Accepted.', ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']]],
    ]);
    expect(document.paths['/readers/stated']?.['post']?.responses['200']?.description).toBe('The reader.');
  });

  it('sends the request id that it promises', async () => {
    const response = await service.fetch('/v1/readers?sort=name', { headers: { 'x-request-id': 'mine' } });
    expect([response.status, response.headers.get('x-request-id')]).toEqual([200, 'mine']);
  });

  it('logs the operations without a declared response in one line', () => {
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line.includes('ReadersController.'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      level: 30,
      msg: expect.stringMatching(
        /^Operations that declare no response: (?:.*, )?ReadersController\.find, ReadersController\.create, ReadersController\.update\. The document knows their status only\.$/,
      ),
    });
  });
});
