import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createToken } from '../../src/platform/security/api-key-token';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { operationsOf, type ServedDocument } from '../support/service/served-document';
import { until } from '../support/until';
import { CLI_ENTRY } from './support/cli-process';
import { CliInProcess } from './support/cli-in-process';
import type { Report } from './support/doctor';

const PROJECT = join(__dirname, '..', '..');
const OF_PETS = ['listPets', 'createPet', 'getPet'];
const LARGEST = '9223372036854775807';

let service: ServiceProcess;
let folder: string;
let readingKey: string;
/** With the first key, which has every scope, and `--allow-writes`. */
let assistant: Client;
const assistants: Client[] = [];

beforeAll(async () => {
  folder = makeFolder();
  service = await ServiceProcess.start({}, { cwd: folder });
  readingKey = await keyWith('pets:read');
  assistant = await connect(howToStart(service.printedKey as string, '--allow-writes'));
});
afterAll(async () => {
  for (const one of assistants) await one.close();
  await endServiceProcesses();
});

/** Makes a key at the service of a folder. */
async function keyWith(scopes: string, cwd = folder): Promise<string> {
  const words = ['keys', 'create', '--name', 'assistant', '--scopes', scopes];
  return (await new CliInProcess({}, cwd).json<{ key: string }>(...words)).key;
}

/** How an assistant starts `petstore mcp`. */
function howToStart(key: string, ...options: string[]) {
  const args = [CLI_ENTRY, 'mcp', '--url', service.url, ...options];
  return { command: process.execPath, args, env: { PETSTORE_API_KEY: key } };
}

async function connect(how: {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}): Promise<Client> {
  const started = new Client({ name: 'test', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', ...how.env };
  await started.connect(new StdioClientTransport({ ...how, env, cwd: folder }));
  assistants.push(started);
  return started;
}

/** The texts of a result, and whether it says that it failed. */
async function call(name: string, values: Record<string, unknown> = {}, by = assistant) {
  const { content, isError } = await by.callTool({ name, arguments: values });
  return { isError, texts: content.map((part) => (part.type === 'text' ? part.text : part.type)) };
}

/** Names of the operations in the served document: those of one method, or all of them. */
async function operationIds(method?: string): Promise<string[]> {
  const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as ServedDocument;
  const operations = operationsOf(document).filter((each) => method === undefined || each.method === method);
  return operations.map(({ operationId }) => operationId);
}

async function namesOf(by: Client): Promise<string[]> {
  return (await by.listTools()).tools.map(({ name }) => name);
}

describe('petstore mcp', () => {
  it('offers the operations of the served document, in fewer than 1,500 tokens of three characters or more', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual(await operationIds());
    const ofPets = tools.filter(({ name }) => OF_PETS.includes(name));
    expect(ofPets.map(({ name }) => name)).toEqual(OF_PETS);
    expect(JSON.stringify(ofPets).length).toBeLessThan(1_500 * 3);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  it('starts as the README shows it, and offers no operation that writes unless asked to', async () => {
    const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
    const [, block = ''] = /```json\n(\{\s*"mcpServers".*?)```/s.exec(readme) ?? [];
    const { petstore } = (
      JSON.parse(block.replace('/path/to/petstore', PROJECT)) as {
        mcpServers: { petstore: { command: string; args: string[]; env: Record<string, string> } };
      }
    ).mcpServers;
    const env = { ...petstore.env, PETSTORE_API_KEY: readingKey, PORT: String(service.port) };
    const reader = await connect({ ...petstore, env });
    expect(await namesOf(reader)).toEqual(await operationIds('GET'));
    expect(await call('createPet', { body: { name: 'Rex', categoryId: 1 } }, reader)).toEqual({
      isError: true,
      texts: ['The tool createPet does not exist. Tools that change something need --allow-writes.'],
    });
  });

  it('creates, gets and lists with exact 64-bit integers, and says how to continue', async () => {
    const rex = `{"id":1,"name":"Rex","categoryId":${LARGEST}}`;
    const created = await call('createPet', { body: { name: 'Rex', categoryId: LARGEST } });
    expect(created).toEqual({ isError: false, texts: [rex] });
    await call('createPet', { body: { name: 'Bella', categoryId: 2, status: 'sold' } });

    expect((await call('getPet', { petId: 1 })).texts).toEqual([rex]);
    const first = await call('listPets', { limit: 1 });
    expect(first.texts[0]).toBe(`[${rex}]`);
    const [, cursor] = /the cursor (\S+)$/.exec(first.texts[1] ?? '') ?? [];
    const second = await call('listPets', { limit: 1, cursor });
    expect(second.texts).toEqual(['[{"id":2,"name":"Bella","categoryId":2,"status":"sold"}]']);
    expect((await call('listPets', { status: 'sold' })).texts).toEqual(second.texts);
  });

  it('refuses an integer that may have been rounded, and an unknown argument', async () => {
    expect(await call('createPet', { body: { name: 'Rex', categoryId: Number(LARGEST) } })).toEqual({
      isError: true,
      texts: ['body.categoryId may have been rounded: send an integer above 2^53 as a string.'],
    });
    expect(await call('listPets', { state: 'sold' })).toEqual({
      isError: true,
      texts: ['listPets takes no argument state.'],
    });
  });

  it('reports a refusal with its request id, and survives an outage of the service', async () => {
    const cwd = makeFolder();
    const other = await ServiceProcess.start({}, { cwd });
    const reader = await connect({
      ...howToStart(await keyWith('pets:read', cwd), '--allow-writes'),
      args: [CLI_ENTRY, 'mcp', '--url', other.url, '--allow-writes'],
    });
    const { isError, texts } = await call('createPet', { body: { name: 'Rex', categoryId: 1 } }, reader);
    expect(isError).toBe(true);
    expect(JSON.parse(texts[0] as string)).toMatchObject({ code: 'insufficient_scope', status: 403 });
    const [, requestId] = /^Request id: (.+)$/.exec(texts[1] as string) ?? [];
    await until(() => other.log().some((line) => line.requestId === requestId && line.status === 403));

    await other.kill('SIGKILL');
    const away = await call('listPets', {}, reader);
    expect(away.isError).toBe(true);
    expect(away.texts[0]).toContain(`The service at ${other.url} cannot be reached`);
  });

  it('says what its tools are for, and what they have in common', async () => {
    expect(assistant.getInstructions()).toContain(`These tools ask the petstore service at ${service.url}`);
    const { tools } = await assistant.listTools();
    const ofPets = tools.filter(({ name }) => OF_PETS.includes(name));
    expect(ofPets.map(({ description }) => description)).toEqual([
      'List animals. Lists animals in ascending order of `id`, a page at a time. While there is more, the `Link` header names the next page.',
      'Add an animal. Adds an animal; the service assigns its `id`.',
      expect.stringMatching(/^Deprecated. Get an animal. Returns one animal. Deprecated since /) as string,
    ]);
  });

  it('says at its start that the service refuses the key', async () => {
    await expect(connect(howToStart(createToken()))).rejects.toThrow(
      `The service at ${service.url}/v1 refuses the API key in PETSTORE_API_KEY: {"code":"invalid_api_key"`,
    );
  });

  it('fails in one sentence without a key, and when the document cannot be read', async () => {
    const cli = new CliInProcess({}, folder);
    expect(await cli.run('mcp')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Set the environment variable PETSTORE_API_KEY to an API key.\n',
    });
    const away = await cli.with({ PETSTORE_API_KEY: readingKey }).run('mcp', '--url', 'http://127.0.0.1:1');
    expect(away).toMatchObject({ code: 2, stdout: '' });
    expect(away.stderr).toMatch(
      /^The document http:\/\/127.0.0.1:1\/docs\/openapi.json cannot be read: .*\n$/,
    );
  });
});

describe('petstore mcp --console', () => {
  let operator: Client;
  const consoleOptions = () => ['--console', service.managementUrl];
  beforeAll(async () => {
    operator = await connect(howToStart(await keyWith('pets:read,admin:read'), ...consoleOptions()));
  });

  const jsonOf = async (name: string, values: Record<string, unknown> = {}) => {
    const { isError, texts } = await call(name, values, operator);
    expect({ name, isError, others: isError ? texts : texts.slice(1) }).toEqual({
      name,
      isError: false,
      others: [],
    });
    return JSON.parse(texts[0] as string) as { items: Record<string, unknown>[] };
  };

  it('offers the commands that read on a server beside the operations, and none that changes something', async () => {
    const names = await namesOf(operator);
    expect(names).toEqual(
      expect.arrayContaining([
        ...[
          'listPets',
          'pets_history',
          'keys_list',
          'report_usage',
          'audit_list',
          'requests_list',
          'requests_show',
        ],
        ...['jobs_list', 'jobs_failed', 'jobs_waiting', 'read_only_status', 'find', 'doctor'],
      ]),
    );
    const changing = /create|update|remove|restore|undo|rotate|revoke|able|retry|discard|run(?!s)|export/;
    expect(names.filter((name) => changing.test(name))).toEqual([]);
    expect(operator.getInstructions()).toContain('requests_show');
    const { tools } = await operator.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const withoutModules = tools.filter(({ name }) =>
      /^(listPets|getPet|(pets|keys|report|audit|requests|find|jobs|read_only|doctor))(_|$)/.test(name),
    );
    expect(withoutModules.length).toBeGreaterThan(20);
    expect(JSON.stringify(withoutModules).length).toBeLessThan(6_000 * 3);
  });

  it('tells of requests, histories and jobs what the console shows, and no key', async () => {
    await call('createPet', { body: { name: 'Told', categoryId: 1 } });
    const { items: pets } = await jsonOf('pets_list', { name: 'Told' });
    const history = async () => (await jsonOf('pets_history', { id: String(pets[0]?.id) })).items;
    await until(async () => (await history()).length === 1);
    await until(
      async () => (await jsonOf('requests_list', { operation: 'createPet', limit: 1 })).items.length === 1,
    );
    expect((await jsonOf('jobs_waiting')).items).toEqual([]);
    const keys = await jsonOf('keys_list');
    expect(keys).toHaveLength(3);
    expect(JSON.stringify(keys)).not.toContain(service.printedKey);
    expect(JSON.stringify(keys)).not.toContain(readingKey);
  });

  it('finds anything by what a person has at hand, and examines the service', async () => {
    await call('createPet', { body: { name: 'Findable', categoryId: 1 } });
    const { items } = await jsonOf('find', { text: 'findab' });
    expect(items).toEqual([
      expect.objectContaining({
        type: 'pet',
        title: 'Findable',
        command: expect.stringMatching(/pets get \d+$/),
      }),
    ]);
    const { status, checks } = (await jsonOf('doctor')) as unknown as Report;
    expect(status).not.toBe('fail');
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['versions', 'database', 'migrations', 'port', 'managementPort', 'keys']),
    );
    expect(await call('doctor', { deep: true }, operator)).toMatchObject({
      isError: true,
      texts: ['On a server, --deep is not possible.'],
    });
  });

  it('refuses what a command does not take, and takes no value for an option', async () => {
    const refused = async (name: string, values: Record<string, unknown>) => {
      const { isError, texts } = await call(name, values, operator);
      return [isError, ...texts].join(' ');
    };
    expect(await refused('requests_list', { limit: '5000' })).toContain('It must be at most 1000.');
    expect(await refused('requests_list', { colour: 'red' })).toBe('true There is no argument colour.');
    expect(await refused('requests_show', { 'request-id': '--help' })).toMatch(/^true .*--help/);
    expect(await refused('requests_show', {})).toBe('true request-id is missing.');
  });

  it('says at its start that the key lacks admin:read, or that the console does not respond', async () => {
    await expect(connect(howToStart(readingKey, ...consoleOptions()))).rejects.toThrow(
      'The API key is not valid for the console: it has to be active, allowed for this address, and have the scope admin:read.',
    );
    await expect(connect(howToStart(readingKey, '--console', 'http://127.0.0.1:1'))).rejects.toThrow(
      'http://127.0.0.1:1 does not respond',
    );
  });

  it('opens no command that changes something to a key, nor any to a page', async () => {
    const terminal = { isTerminal: false, hasColours: false, columns: null, canAsk: false };
    const post = (args: string[], headers: Record<string, string> = {}) =>
      fetch(`${service.managementUrl}/admin/commands`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.printedKey}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({ args, terminal, confirmed: [] }),
      });
    expect(await (await post(['pets', 'remove', '1', '--yes'])).text()).toContain(
      'You do not have the scope admin:pets, which this needs.',
    );
    expect((await post(['pets', 'list'], { Origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post(['pets', 'list'], { Authorization: `Bearer ${createToken()}` })).status).toBe(401);
  });
});
