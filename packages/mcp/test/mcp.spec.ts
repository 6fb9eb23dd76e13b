import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createToken } from '../../../src/platform/security/api-key-token.ts';
import { makeFolder } from '../../../test/support/folders.ts';
import { type CommandResult, resultOf } from '../../../test/support/processes/command.ts';
import { endServiceProcesses, ServiceProcess } from '../../../test/support/processes/service-process.ts';
import { operationsOf, type ServedDocument } from '../../../test/support/service/served-document.ts';
import { until } from '../../../test/support/until.ts';
import manifest from '../package.json' with { type: 'json' };
import { CliInProcess } from '../../../test/cli/support/cli-in-process.ts';

const PACKAGE = join(__dirname, '..');
const PROJECT = join(PACKAGE, '..', '..');
const MAIN = join(PACKAGE, 'src', 'main.ts');
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

/** How an assistant starts the program. */
function howToStart(key: string, ...options: string[]) {
  const args = [MAIN, '--url', service.url, ...options];
  return { command: process.execPath, args, env: { PETSTORE_API_KEY: key } };
}

/** Runs a file to its end, without a key unless given. */
async function run(file: string, args: readonly string[], key?: string): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, ...(key !== undefined && { PETSTORE_API_KEY: key }) };
  return resultOf(spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
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

describe('@petstore/mcp', () => {
  it('offers the operations of the served document, in fewer than 1,500 tokens of three characters or more', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual(await operationIds());
    const ofPets = tools.filter(({ name }) => OF_PETS.includes(name));
    expect(ofPets.map(({ name }) => name)).toEqual(OF_PETS);
    expect(JSON.stringify(ofPets).length).toBeLessThan(1_500 * 3);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  it('starts as the README shows it, and offers no operation that writes unless asked to', async () => {
    const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
    const [, block = ''] = /```json\n(\{\s*"mcpServers".*?)```/s.exec(readme) ?? [];
    const { petstore } = (
      JSON.parse(
        block.replace('/path/to/petstore', PROJECT).replace('http://127.0.0.1:3000', service.url),
      ) as {
        mcpServers: { petstore: { command: string; args: string[]; env: Record<string, string> } };
      }
    ).mcpServers;
    const env = { ...petstore.env, PETSTORE_API_KEY: readingKey };
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
      args: [MAIN, '--url', other.url, '--allow-writes'],
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
    expect(await run(MAIN, [])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Set the environment variable PETSTORE_API_KEY to an API key.\n',
    });
    const away = await run(MAIN, ['--url', 'http://127.0.0.1:1'], readingKey);
    expect(away).toMatchObject({ code: 2, stdout: '' });
    expect(away.stderr).toMatch(
      /^The document http:\/\/127.0.0.1:1\/docs\/openapi.json cannot be read: .*\n$/,
    );
  });

  it('refuses an unknown option and a password in the address, which it does not repeat', async () => {
    expect(await run(MAIN, ['--write'], readingKey)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Unknown option '--write'"),
    });
    const { code, stderr } = await run(MAIN, ['--url', 'http://root:s3cret@127.0.0.1:1'], readingKey);
    expect([code, stderr.includes('must not hold a password'), stderr.includes('s3cret')]).toEqual([
      2,
      true,
      false,
    ]);
  });

  it('starts as it is packed', async () => {
    const args = ['pack', '--dry-run', '--json', '--workspace', '@petstore/mcp'];
    // Without the options of the npm that runs this test: it may leave scripts out.
    const { PATH, HOME } = process.env;
    const packing = spawn('npm', args, {
      cwd: PROJECT,
      env: { PATH, HOME },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout } = await resultOf(packing);
    expect(code).toBe(0);
    const { 'petstore-mcp': program } = manifest.bin;
    expect(stdout).toContain(`"${program}"`);
    expect(await run(join(PACKAGE, program), ['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: petstore-mcp'),
    });
  });
});
