import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { OddModule } from './misuse.module';

describeOneEngine('A module with code that newcomers to Nest write', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ OddModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const read = async (response: Response) => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
  const get = async (path: string, init?: RequestInit) => read(await service.fetch(`/v1/odd${path}`, init));
  const post = async (path: string, body: unknown) => read(await service.post(`/v1/odd${path}`, body));

  it.each([{ a: 1 }, [1], 5, null, 'x'])('accepts %j when the type is an interface', async (body) => {
    expect(await post('/body', body)).toEqual({ status: 200, body: { body } });
  });

  it.each([
    ['/values/undefined', 200, ''],
    ['/values/null', 200, ''],
    ['/values/text', 200, 'text'],
    ['/values/number', 200, '5'],
    ['/values/date', 200, '1970-01-01T00:00:00.000Z'],
    ['/values/observable', 200, '2'],
    ['/values/promise', 200, { a: 1 }],
    ['/values/array', 200, [1, 2]],
    ['/typed/5', 200, { type: 'string' }],
    ['/secretive', 200, { id: 1, twice: 2 }],
    ['/twice?a=1', 200, { a: '1', b: '1' }],
    ['/plain-query?q=a', 200, { q: 'a' }],
    ['/lists?tags=a&tags=b', 200, { tags: ['a', 'b'] }],
    ['/lists', 200, {}],
    ['/ids?ids=1,2', 200, { ids: [1, 2] }],
  ])('serves %s as Nest does', async (path, status, body) => {
    expect(await get(path)).toEqual({ status, body });
  });

  it('keeps every value of a repeated filter in the links of a page', async () => {
    const response = await service.fetch('/v1/odd/pages?tags=a&tags=b%26c&limit=2');
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    expect(await read(await service.fetch(next.slice(service.url.length)))).toEqual({
      status: 200,
      body: [{ id: 3, tags: 'a b&c' }],
    });
  });

  it('writes a bigint as the number it is', async () => {
    const response = await service.fetch('/v1/odd/values/big');
    expect([response.status, await response.text()]).toEqual([200, '{"id":9007199254740993,"list":[1]}']);
  });

  it('sends no body with a 204', async () => {
    expect(await get('/nothing', { method: 'DELETE' })).toEqual({ status: 204, body: '' });
  });

  it.each([
    ['/refused?x=1', 400, 'bad_request', 'The pipe refuses.'],
    ['/ids?ids=a', 400, 'bad_request', '[0] item must be a number'],
    ['/twice?a=1&a=2', 400, 'invalid_parameter', 'a may be given only once.'],
    ['/lists?tag=a', 400, 'unknown_parameter', 'tag is not a query parameter of this operation.'],
    ['/missing-file', 404, 'not_found', 'The request was refused: not found.'],
    ['/faulty-filter', 500, 'internal_error', expect.any(String)],
    ['/missing-stream', 500, 'internal_error', expect.any(String)],
  ])('refuses %s in the common shape of errors', async (path, status, code, message) => {
    expect(await get(path)).toEqual({ status, body: { code, message, status } });
  });

  it('leaves the error of a stream to the handler of its author', async () => {
    expect(await get('/own-stream')).toEqual({ status: 410, body: 'gone' });
  });

  it('names the member of an array that a transformation cannot take', async () => {
    expect(await post('/orders', { lines: [{ title: ' a ' }, { title: 5 }] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', message: 'lines[1].title must be a string.' },
    });
  });

  it('keeps the exception of a transformation', async () => {
    expect(await post('/codes', { code: 'x' })).toMatchObject({
      status: 400,
      body: { message: 'code must be a number of mine.' },
    });
  });

  it('serves other versions, and documents them at their own address', async () => {
    expect((await service.fetch('/v2/odd/versioned')).status).toBe(200);
    expect((await service.fetch('/odd/neutral')).status).toBe(200);
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { servers?: object }>;
    };
    const servers = [{ url: '/', description: 'This server' }];
    expect(document.paths['/v2/odd/versioned']?.servers).toEqual(servers);
    expect(document.paths['/odd/neutral']?.servers).toEqual(servers);
    expect(document.paths['/odd/lists']?.servers).toBeUndefined();
  });
});
