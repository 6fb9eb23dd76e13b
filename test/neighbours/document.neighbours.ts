import { freePort } from '../support/processes/free-port';
import { ListeningProgram } from '../support/processes/listening-program';
import { startTestService, type TestService } from '../support/service/service';
import { Tools } from './support/tools';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

let service: TestService;
let tools: Tools;

beforeAll(async () => {
  service = await startTestService('sqlite');
  tools = await Tools.install(service);
});
afterAll(() => service.stop());

describe('Spectral', () => {
  /** The places where a document breaks the rules of `spectral:oas`. */
  async function foundIn(document: string): Promise<string[]> {
    tools.write('spectral.yaml', 'extends: ["spectral:oas"]\n');
    const words = ['lint', document, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
    const { stdout } = await tools
      .run('spectral', [...words, '--fail-severity', 'hint'])
      .catch((failed: unknown) => failed as { stdout: string });
    return (JSON.parse(stdout) as { path: string[] }[]).map(({ path }) => path.join('.'));
  }

  it('finds nothing in the document of OpenAPI 3.0', async () => {
    expect(await foundIn('openapi.json')).toEqual([]);
  });

  it('finds in that of OpenAPI 3.1 only what 3.1 allows: relative addresses, and scopes of a key', async () => {
    expect(await foundIn('openapi-3.1.json')).toEqual([
      ...['info.license.url', 'externalDocs.url', 'paths./pets.get.security.0.apiKey.0'],
      ...['paths./pets.post.security.0.apiKey.0', 'paths./pets/{petId}.get.security.0.apiKey.0'],
    ]);
  });
});

describe('Prism as a validating proxy', () => {
  let prism: ListeningProgram;
  let url: string;

  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    url = `http://127.0.0.1:${port}`;
    prism = new ListeningProgram(port);
    const words = ['proxy', 'openapi.json', `${service.url}/v1`, '--errors', '--port', String(port)];
    const program = tools.path('node_modules/.bin/prism');
    await prism.start(process.execPath, [program, ...words], { cwd: tools.folder });
  });
  afterAll(() => prism.kill());

  async function call(path: string, init: RequestInit = {}, key = service.key): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { ...init, headers });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  const create = (body: string) => call('/pets', { method: 'POST', body });

  it('finds requests and responses of each operation as documented, with pages and errors', async () => {
    const first = await create('{"name":"Rex","categoryId":3,"status":"sold"}');
    expect(first).toMatchObject({ status: 201, body: { name: 'Rex', categoryId: 3, status: 'sold' } });
    const second = await create('{"name":"Luna","categoryId":3}');
    expect(await call(`/pets/${(first.body as { id: number }).id}`)).toMatchObject({
      status: 200,
      body: first.body,
    });
    const page = await call('/pets?limit=1');
    expect(page).toMatchObject({ status: 200, body: [first.body] });
    const cursor = /cursor=([^>&]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await call(`/pets?limit=1&cursor=${cursor}`)).toMatchObject({ status: 200, body: [second.body] });
    expect(await call('/pets/404')).toMatchObject({
      status: 404,
      body: { code: 'pet_not_found', status: 404 },
    });
    expect(await call('/pets', {}, 'wrong')).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
    // What the document forbids does not reach the service: Prism says so in a shape of its own.
    expect(await create('{"name":"x"}')).toMatchObject({ status: 422, body: { title: 'Invalid request' } });
  });

  it('refuses integers from 2^53 on, as the guide says', async () => {
    const large = '{"name":"Max","categoryId":9007199254740993}';
    expect(await create(large)).toMatchObject({ status: 422, body: { validation: [{ code: 'maximum' }] } });
    const created = await service.fetch('/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: large,
    });
    const { id } = (await created.json()) as { id: number };
    expect(await call(`/pets/${id}`)).toMatchObject({
      status: 500,
      body: { title: 'Request/Response not valid' },
    });
  });
});
