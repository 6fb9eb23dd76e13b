import { readFileSync } from 'node:fs';
import { startTestService, type TestService } from '../support/service/service';
import { Tools } from './support/tools';

/** A folder or a request of a collection. */
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly body?: { raw?: string };
    readonly url: { readonly variable: { key: string; value: string }[] };
  };
  event?: object[];
}

/** What newman says about a run. */
interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
    }[];
    readonly failures: readonly { readonly error: { readonly message: string } }[];
  };
}

const LARGE = '9223372036854775807';

/** What people write below "Tests" of each request, and how they change it. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'Add an animal': `
    pm.test('added', () => pm.response.to.have.status(201));
    pm.test('rounded by JSON', () => pm.expect(String(pm.response.json().categoryId)).to.not.equal('${LARGE}'));
    pm.test('exact as text', () => pm.expect(pm.response.text()).to.include('"categoryId":${LARGE}'));
    pm.collectionVariables.set('petId', /"id":(-?\\d+)/.exec(pm.response.text())[1]);`,
  'Get an animal': `
    pm.test('found', () => pm.response.to.have.status(200));
    pm.test('exact as text', () => pm.expect(pm.response.text()).to.include('"categoryId":${LARGE}'));
    pm.test('deprecated', () => pm.response.to.have.header('Deprecation'));`,
  'List animals': `
    pm.test('a page', () => pm.response.to.have.status(200));
    pm.test('an array', () => pm.expect(pm.response.json()).to.be.an('array'));`,
};

let service: TestService;
let tools: Tools;

beforeAll(async () => {
  service = await startTestService('sqlite');
  tools = await Tools.install(service);
});
afterAll(() => service.stop());

function requestsOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => (item.item ? requestsOf(item.item) : [item]));
}

async function run(key: string, folder: string): Promise<Report['run']> {
  const words = ['--env-var', `baseUrl=${service.url}/v1`, '--env-var', `bearerToken=${key}`];
  const report = ['--reporters', 'json', '--reporter-json-export', `${folder}.json`];
  await tools.run('newman', ['run', 'collection.json', ...words, ...report, '--suppress-exit-code']);
  return (JSON.parse(readFileSync(tools.path(`${folder}.json`), 'utf8')) as Report).run;
}

describe('A Postman collection that openapi-to-postmanv2 makes of the document', () => {
  it('calls each operation through newman, with exact integers in texts, and with errors', async () => {
    const options = 'parametersResolution=Example,enableOptionalParameters=false';
    await tools.run('openapi2postmanv2', ['-s', 'openapi.json', '-o', 'collection.json', '-O', options]);
    const collection = JSON.parse(readFileSync(tools.path('collection.json'), 'utf8')) as {
      readonly item: readonly Item[];
    };
    const requests = requestsOf(collection.item);
    expect(requests.map(({ name }) => name).sort()).toEqual(Object.keys(SCRIPTS));
    for (const item of requests) {
      item.event = [{ listen: 'test', script: { exec: [SCRIPTS[item.name]] } }];
      const { body, url } = item.request as NonNullable<Item['request']>;
      if (body?.raw) body.raw = body.raw.replace(/("categoryId": )\d+/, `$1${LARGE}`);
      for (const variable of url.variable) variable.value = `{{${variable.key}}}`;
    }
    tools.write('collection.json', JSON.stringify(collection));

    const { executions, failures } = await run(service.key, 'served');
    expect(failures.map(({ error }) => error.message)).toEqual([]);
    expect(executions.map(({ response }) => response?.code).sort()).toEqual([200, 200, 201]);

    const refused = (await run('wrong', 'refused')).executions.map(({ response }) => {
      const body = Buffer.from(response?.stream.data ?? []).toString();
      return [response?.code, (JSON.parse(body) as { code: string }).code];
    });
    expect(refused).toEqual(requests.map(() => [401, 'invalid_api_key']));
  });
});
