import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createToken } from '../../src/platform/security/api-key-token';
import { CliInProcess } from '../cli/support/cli-in-process';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';

const TOKEN = /petk_[0-9A-Za-z]{49}/g;

interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

let cwd: string;

beforeEach(() => {
  cwd = makeFolder();
});
afterEach(endServiceProcesses);

function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
  return ServiceProcess.start(environment, { cwd });
}

async function stop(service: ServiceProcess): Promise<void> {
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}

function cli<T>(...words: string[]): Promise<T> {
  return new CliInProcess({}, cwd).json<T>(...words);
}

function listKeys(): Promise<ListedKey[]> {
  return cli('keys', 'list');
}

function printedCommands({ stdout }: ServiceProcess): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('  curl '));
}

/** Runs a printed line as it stands, like a person who pastes it into a shell. */
async function paste(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd });
  return JSON.parse(stdout);
}

describe('The first start', () => {
  it('prints one key, on stdout only and once, in the key line and in the commands that use it', async () => {
    const service = await start();
    const key = service.printedKey;
    expect(service.stdout.match(TOKEN)).toEqual([key, key, key, key]);
    expect(service.stderr).not.toMatch(TOKEN);
    expect(existsSync(join(cwd, 'data', 'petstore.sqlite'))).toBe(true);
    expect(await listKeys()).toMatchObject([
      { name: 'first key', scopes: expect.arrayContaining(['pets:read', 'pets:write']) as unknown },
    ]);
  });

  it('prints where the docs are, and a command for each operation of pets there; each works as it stands', async () => {
    const service = await start();
    const commands = printedCommands(service);
    expect(commands).toHaveLength(3);
    const results: unknown[] = [];
    for (const command of commands) results.push(await paste(command));
    const rex = { id: 1, name: 'Rex', categoryId: 3, status: 'available' };
    expect(results).toEqual([rex, [rex], rex]);

    const [docs = ''] = /http:\S+\/docs\b/.exec(service.stdout) ?? [];
    expect((await fetch(docs)).headers.get('content-type')).toContain('text/html');
    const document = (await (await fetch(`${docs}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
    };
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const ofPets = operations.filter(({ operationId, tags }) => operationId && tags?.includes('pets'));
    expect(ofPets).toHaveLength(commands.length);
  });

  it('makes and prints no key in production; the first one comes from the CLI', async () => {
    const service = await start({ NODE_ENV: 'production' });
    expect(service.stdout).toBe('');
    expect(await listKeys()).toEqual([]);
    const create = ['keys', 'create', '--name', 'me', '--scopes', 'pets:read'];
    const { key } = await cli<{ key: string }>(...create);
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
  });
});

describe('A later start', () => {
  it('finds the old key and the pets as they were, prints no key, and commands that work with that one', async () => {
    const first = await start();
    const key = first.printedKey as string;
    const rex = await paste(printedCommands(first)[0] as string);
    await stop(first);

    const second = await start();
    expect(second.stdout + second.stderr).not.toMatch(TOKEN);
    const [, list, get] = printedCommands(second);
    const results: unknown[] = [];
    for (const command of [list, get]) results.push(await paste(`PETSTORE_API_KEY=${key}\n${command}`));
    expect(results).toEqual([[rex], rex]);
    expect(await listKeys()).toHaveLength(1);
  });
});

describe('BOOTSTRAP_API_KEY', () => {
  const token = createToken();

  it('exists after the start with every scope, is never shown, and no other key is made', async () => {
    const service = await start({ BOOTSTRAP_API_KEY: token });
    expect((await service.post('/v1/pets', token, '{"name":"Rex","categoryId":3}')).status).toBe(201);
    expect((await service.fetch('/v1/pets', token)).status).toBe(200);
    expect(service.stdout + service.stderr).not.toMatch(TOKEN);
    const [bootstrap, ...others] = await listKeys();
    expect(bootstrap?.scopes).toEqual(expect.arrayContaining(['admin:keys', 'pets:read', 'pets:write']));
    expect(others).toEqual([]);
  });

  it('may be given again, but does not come back once it was revoked: that start is refused', async () => {
    await stop(await start({ BOOTSTRAP_API_KEY: token }));
    const again = await start({ BOOTSTRAP_API_KEY: token });
    expect((await again.fetch('/v1/pets', token)).status).toBe(200);
    const [bootstrap, ...others] = await listKeys();
    expect(others).toEqual([]);
    await stop(again);
    await cli('keys', 'revoke', bootstrap?.id as string, '--yes');

    const refused = new ServiceProcess({ BOOTSTRAP_API_KEY: token }, { cwd });
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.stderr).toBe('BOOTSTRAP_API_KEY was revoked; give another.\n');
    expect(refused.stdout).toBe('');
  });
});
