import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { SchemasModule } from './schemas.module';

const BOAT = { name: 'Nest', berths: 4, launched: '2026-01-31' };

describeOneEngine('Parameters with a Standard Schema', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ SchemasModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const read = async (response: Response) => {
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  const get = async (path: string) => read(await service.fetch(`/v1${path}`));
  const post = async (path: string, body: unknown) => read(await service.post(`/v1${path}`, body));
  const send = async (path: string, body: string, contentType = 'application/json') =>
    read(
      await service.fetch(`/v1${path}`, { method: 'POST', body, headers: { 'content-type': contentType } }),
    );

  it('get the output of their schema without a pipe of the module', async () => {
    expect(await post('/boats', { ...BOAT, isbn: 'left out', crew: [{ born: 1990 }] })).toEqual({
      status: 201,
      body: {
        ...BOAT,
        launched: '2026-01-31T00:00:00.000Z',
        crew: [{ born: 1990 }],
        year: 2026,
        type: 'number',
      },
    });
    expect(await get('/boats?page=2&tags=a&tags=b')).toEqual({
      status: 200,
      body: { page: 2, tags: ['a', 'b'] },
    });
    expect(await get('/boats')).toEqual({ status: 200, body: { page: 1 } });
    expect(await get('/boats/long?length=12.5')).toEqual({ status: 200, body: { length: 12.5 } });
    expect(await get('/boats/7')).toEqual({ status: 200, body: { id: 7 } });
    expect(await post('/boats/named', { berths: 3 })).toEqual({ status: 201, body: { berths: 3 } });
    expect(await post('/kayaks', { name: 'K', seats: 2 })).toEqual({
      status: 201,
      body: { name: 'K', seats: 2 },
    });
    expect(await get('/kayaks?colour=red&sizes=s&sizes=m')).toEqual({
      status: 200,
      body: { colour: 'red', sizes: ['s', 'm'] },
    });
    expect(await post('/rafts', { name: 'R', logs: 9, owner: null })).toMatchObject({ status: 201 });
    expect(await get('/rafts?wood=oak')).toEqual({ status: 200, body: { wood: 'oak' } });
  });

  it.each([
    ['/boats', { ...BOAT, berths: undefined }, 'berths is required.'],
    ['/boats', { ...BOAT, berths: 0 }, 'berths: Too small: expected number to be >=1.'],
    ['/boats', { ...BOAT, crew: [{ born: 1 }, { born: 'x' }] }, /^crew\[1\]\.born: .+ received string\.$/],
    ['/boats', { ...BOAT, name: 'a\0b' }, 'name must not contain U+0000.'],
    ['/boats/named', { berths: 1.5 }, /^berths: /],
    ['/kayaks', { name: 'K', seats: 'two' }, /^seats: Invalid type: .+\.$/],
    ['/kayaks', { name: 'K' }, 'seats is required.'],
    ['/rafts', { name: 'R', logs: 0 }, 'logs must be positive (was 0).'],
    ['/rafts', { name: 'R' }, 'logs is required.'],
  ])('refuse at %s %j and name the member by its path', async (path, body, message) => {
    expect(await post(path, body)).toEqual({
      status: 400,
      body: {
        code: 'invalid_field',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        status: 400,
      },
    });
  });

  it.each([
    ['/boats', 'berths', '{"name":"N","launched":"2026-01-31","berths":9007199254740992}'],
    [
      '/boats',
      'crew[0].born',
      '{"name":"N","launched":"2026-01-31","berths":1,"crew":[{"born":-9007199254740993}]}',
    ],
    ['/boats/anything', 'deep.list[1]', '{"deep":{"list":[1,9223372036854775807]}}'],
    ['/boats/bound', 'berths', '{"name":"N","launched":"2026-01-31","berths":9007199254740993}'],
    ['/boats/named', 'berths', '{"berths":9007199254740993}'],
    ['/kayaks', 'seats', '{"name":"K","seats":9007199254740993}'],
    ['/rafts', 'logs', '{"name":"R","logs":9007199254740993}'],
  ])('refuse integers at %s that a number cannot hold: %s', async (path, member, body) => {
    expect(await send(path, body)).toEqual({
      status: 400,
      body: {
        code: 'invalid_field',
        message: `${member} must be an integer from -9007199254740991 to 9007199254740991.`,
        status: 400,
      },
    });
  });

  it.each([
    ['/boats?pages=2', 'unknown_parameter', 'pages is not a query parameter of this operation.'],
    ['/kayaks?color=red', 'unknown_parameter', 'color is not a query parameter of this operation.'],
    ['/rafts?woods=oak', 'unknown_parameter', 'woods is not a query parameter of this operation.'],
    ['/boats?page=1&page=2', 'invalid_parameter', 'page may be given only once.'],
    ['/boats?page=0', 'invalid_parameter', 'page: Too small: expected number to be >=1.'],
    ['/boats/long?length=500', 'invalid_parameter', 'length: Too big: expected number to be <=100.'],
    ['/boats/long?length=%00', 'invalid_parameter', 'length must not contain U+0000.'],
    ['/rafts?wood=elm', 'invalid_parameter', /^wood must be "oak" or "pine"/],
    ['/boats/seven', 'invalid_parameter', /^id: Invalid input/],
  ])('refuse the query of %s', async (path, code, message) => {
    expect(await get(path)).toEqual({
      status: 400,
      body: {
        code,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        status: 400,
      },
    });
  });

  it("are left to Nest's pipe when the module binds it, with its exceptions and errorCode", async () => {
    expect(await post('/boats/bound', BOAT)).toEqual({ status: 201, body: { year: 2026 } });
    expect(await post('/boats/bound', { ...BOAT, berths: 0 })).toEqual({
      status: 400,
      body: { code: 'bad_request', message: 'berths: Too small: expected number to be >=1', status: 400 },
    });
    expect(await post('/boats/strict', BOAT)).toEqual({ status: 201, body: { year: 2026 } });
    expect(await post('/boats/strict', { name: 5 })).toEqual({
      status: 422,
      body: { code: 'boat_sinks', message: '3 faults.', status: 422 },
    });
  });

  it('can be the bytes of a body, with or without its parsed value', async () => {
    const response = await service.post('/v1/boats/hooks', { a: [1] }, { 'x-harbour': 'Kiel' });
    expect(await read(response)).toEqual({ status: 201, body: { bytes: '{"a":[1]}', harbour: 'Kiel' } });
    expect(await send('/boats/hooks/read', '{ "a": 1 }')).toEqual({
      status: 201,
      body: { length: 10, body: { a: 1 } },
    });
    expect(await send('/boats/hooks/text', 'a=\0', 'text/plain')).toEqual({
      status: 201,
      body: { text: 'a=\0' },
    });
    expect(await send('/boats/hooks', '{"a":', 'application/json')).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    });
    expect(await send('/boats/hooks/small', '{}')).toEqual({ status: 201, body: { length: 2 } });
    expect(await send('/boats/hooks/small', `{"a":"${'a'.repeat(20)}"}`)).toEqual({
      status: 400,
      body: { code: 'invalid_body', message: 'The body: too many bytes.', status: 400 },
    });
    expect(await send('/boats/hooks/text', '{}')).toMatchObject({ status: 415 });
    expect(await send('/boats/hooks', 'a'.repeat(200_000))).toMatchObject({ status: 413 });
  });

  it('can have responses with a schema, which hides what it refuses', async () => {
    const shown = await service.fetch('/v1/boats/shown');
    expect([shown.status, await shown.text()]).toEqual([200, '{"id":1152921504606846976,"name":"Nest"}']);
    const { status, body } = await get('/boats/misshown');
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  it('are documented', async () => {
    const { paths } = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as Document;
    const bodyOf = (path: string) => paths[path]?.['post']?.requestBody?.content['application/json']?.schema;
    expect(bodyOf('/boats')).toMatchObject({
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20, description: 'Its name.' },
        berths: { type: 'integer', minimum: 1 },
        crew: { type: 'array', items: { type: 'object', properties: { born: { type: 'integer' } } } },
      },
      required: ['name', 'berths', 'launched'],
    });
    expect(bodyOf('/kayaks')).toMatchObject({
      properties: { name: { type: 'string', maxLength: 20 }, seats: { type: 'integer' } },
    });
    expect(bodyOf('/rafts')).toMatchObject({
      properties: {
        name: { type: 'string', maxLength: 20 },
        logs: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 90, exclusiveMaximum: true },
        owner: { type: 'string', nullable: true },
      },
      required: ['logs', 'name'],
    });
    const parametersOf = (path: string) => paths[path]?.['get']?.parameters;
    expect(parametersOf('/boats')).toMatchObject([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
      { name: 'tags', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } },
    ]);
    expect(parametersOf('/kayaks')).toMatchObject([
      { name: 'colour', in: 'query', required: false },
      { name: 'sizes', in: 'query', required: false },
    ]);
    expect(parametersOf('/rafts')).toMatchObject([
      { name: 'wood', in: 'query', required: false, schema: { enum: ['oak', 'pine'] } },
    ]);
    expect(parametersOf('/boats/{id}')).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ]);
    expect(Object.keys(paths['/boats/hooks/text']?.['post']?.requestBody?.content ?? {})).toEqual([
      'text/plain',
    ]);
    expect(paths['/boats/shown']?.['get']?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } },
    });
  });
});

interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly parameters?: readonly object[];
        readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
        readonly responses: Record<string, object>;
      }
    >
  >;
}
