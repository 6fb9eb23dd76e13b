import { execFile } from 'node:child_process';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createToken } from '../../src/platform/security/api-key-token';
import { CliInProcess } from '../cli/support/cli-in-process';
import { migrate } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

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

/** What the printed request makes in an empty database. */
const REX = { id: 1, name: 'Rex', categoryId: 3, status: 'available' };

function printedRequest({ stdout }: ServiceProcess): string {
  return /^ {2}(curl .+)$/m.exec(stdout)?.[1] ?? '';
}

/** Runs a printed line as it stands, like a person who pastes it into a shell. */
async function paste(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd });
  return JSON.parse(stdout);
}

describe('The first start', () => {
  it('serves where it cannot print, and says that nobody has the key that it made', async () => {
    const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const service = new ServiceProcess({}, { cwd, through });
    await until(() => / keys create /.test(service.stderr));
    expect(service.stderr).not.toMatch(TOKEN);
    const { key } = await cli<{ key: string }>('keys', 'create', '--name', 'me', '--scopes', 'pets:read');
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    await stop(service);
  });

  it('prints one key, on stdout only, in the key line and in the example command', async () => {
    const service = await start();
    const key = service.printedKey;
    expect(service.stdout.match(TOKEN)).toEqual([key, key]);
    expect(service.stderr).not.toMatch(TOKEN);
    expect(existsSync(join(cwd, 'data', 'petstore.sqlite'))).toBe(true);
    expect(await listKeys()).toMatchObject([
      { name: 'first key', scopes: expect.arrayContaining(['pets:read', 'pets:write']) as unknown },
    ]);
  });

  it('prints address, docs, one request, sample pets, how to stop and last the key, in this order', async () => {
    const { stdout, url, printedKey } = await start();
    const texts = [
      `running at ${url}\n`,
      `Swagger UI: ${url}/docs\n`,
      `\n  curl ${url}/v1/pets `,
      '\n  npm run -s petstore -- seed --count 100\n',
      'Stop the service with Ctrl+C.\n',
      `\n  ${printedKey}\n`,
    ];
    const places = texts.map((text) => stdout.indexOf(text));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(stdout).not.toContain('"level"');
  });

  it('prints a request, a command and an address that work as printed', async () => {
    const service = await start();
    expect(await paste(printedRequest(service))).toEqual(REX);

    const [, seed = ''] = /npm run -s petstore -- (.+)/.exec(service.stdout) ?? [];
    await new CliInProcess({}, cwd).run(...seed.split(' '));
    const pets = await service.fetch('/v1/pets?limit=100', service.printedKey as string);
    expect(await pets.json()).toHaveLength(100);

    const [docs = ''] = /http:\S+\/docs\b/.exec(service.stdout) ?? [];
    expect((await fetch(docs)).headers.get('content-type')).toContain('text/html');
  });

  it('makes and prints no key in production, where the first comes from the CLI', async () => {
    await migrate(`sqlite:${join(cwd, 'data', 'petstore.sqlite')}`);
    const service = await start({ NODE_ENV: 'production' });
    expect(service.stdout).toBe('');
    expect(await listKeys()).toEqual([]);
    const create = ['keys', 'create', '--name', 'me', '--scopes', 'pets:read'];
    const { key } = await cli<{ key: string }>(...create);
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
  });
});

describe('A start in production without a database', () => {
  const token = createToken();

  /** What the service writes that does not start. */
  async function refused(environment: Record<string, string> = {}): Promise<string> {
    const service = new ServiceProcess({ NODE_ENV: 'production', ...environment }, { cwd });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    return service.stderr;
  }

  it.each<Record<string, string>>([{}, { BOOTSTRAP_API_KEY: token }, { MIGRATE_ON_START: 'true' }])(
    'creates none, names the path and what to do, and exits: %j',
    async (environment) => {
      const stderr = await refused(environment);
      expect(stderr).toContain(join(cwd, 'data', 'petstore.sqlite'));
      expect(stderr).toContain('"petstore db migrate"');
      expect(existsSync(join(cwd, 'data'))).toBe(false);
    },
  );

  it('proposes the command with npm when npm has started the service', async () => {
    const manifest = join(__dirname, '..', '..', 'package.json');
    const stderr = await refused({ npm_lifecycle_event: 'start', npm_package_json: manifest });
    expect(stderr).toContain('"npm run -s petstore -- db migrate"');
  });

  it('does not fill an empty file either', async () => {
    writeFileSync(join(cwd, 'empty.sqlite'), '');
    expect(await refused({ DATABASE_URL: 'sqlite:empty.sqlite' })).toContain('it has none of the tables');
    expect(statSync(join(cwd, 'empty.sqlite')).size).toBeLessThanOrEqual(4_096);
  });

  it('serves no empty database after the file was moved for a restore', async () => {
    await migrate(`sqlite:${join(cwd, 'data', 'petstore.sqlite')}`);
    await stop(await start({ NODE_ENV: 'production' }));
    renameSync(join(cwd, 'data', 'petstore.sqlite'), join(cwd, 'aside.sqlite'));
    expect(await refused()).toContain('There is no database at');
    renameSync(join(cwd, 'aside.sqlite'), join(cwd, 'data', 'petstore.sqlite'));
    await start({ NODE_ENV: 'production' });
  });
});

describe('A later start', () => {
  it('finds the old key and pets, prints no key, and an example request for that key', async () => {
    const first = await start();
    const key = first.printedKey as string;
    await paste(printedRequest(first));
    await stop(first);

    const second = await start();
    expect(second.stdout + second.stderr).not.toMatch(TOKEN);
    const created = await paste(`PETSTORE_API_KEY=${key}\n${printedRequest(second)}`);
    expect(created).toEqual({ ...REX, id: 2 });
    expect(await (await second.fetch('/v1/pets', key)).json()).toEqual([REX, created]);
    expect(await listKeys()).toHaveLength(1);
  });

  it('prints a working command for another key', async () => {
    await stop(await start());
    const { stdout } = await start();
    const [, create = ''] = /npm run -s petstore -- (keys create .+)/.exec(stdout) ?? [];
    const { key } = await cli<{ key: string }>(...create.split(' '));
    expect(key).toMatch(TOKEN);
  });
});

describe('A start after new features were added', () => {
  /** The first key as a version without these scopes has made it. */
  async function takeScopes(...missing: string[]): Promise<ListedKey> {
    const [first] = await listKeys();
    const { id = '', scopes = [] } = first ?? {};
    const left = scopes.filter((scope) => !missing.includes(scope));
    await cli('keys', 'update', id, '--scopes', left.join(','), '--json');
    return first as ListedKey;
  }

  it('prints the scopes that the first key lacks, and a command that grants them', async () => {
    const first = await start();
    const key = first.printedKey as string;
    await stop(first);
    const { id, scopes } = await takeScopes('pets:write', 'admin:pets');

    const service = await start();
    expect((await service.post('/v1/pets', key, '{"name":"Rex","categoryId":3}')).status).toBe(403);
    await stop(service);
    expect(service.stdout).toContain('The first key has no admin:pets, pets:write.');
    const [, update = ''] = /npm run -s petstore -- (keys update .+)/.exec(service.stdout) ?? [];
    await cli(...update.split(' '), '--json');
    expect(await listKeys()).toMatchObject([{ id, scopes }]);

    const next = await start();
    expect((await next.post('/v1/pets', key, '{"name":"Rex","categoryId":3}')).status).toBe(201);
    expect(next.stdout).not.toContain('The first key');
  });

  it('prints nothing about a first key that no longer works', async () => {
    await stop(await start());
    const { id } = await takeScopes('pets:write');
    await cli('keys', 'revoke', id, '--yes');
    expect((await start()).stdout).not.toContain('The first key');
  });
});

describe('BOOTSTRAP_API_KEY', () => {
  const token = createToken();

  it('is created at the start with every scope, is never shown, and is the only key', async () => {
    const service = await start({ BOOTSTRAP_API_KEY: token });
    expect((await service.post('/v1/pets', token, '{"name":"Rex","categoryId":3}')).status).toBe(201);
    expect((await service.fetch('/v1/pets', token)).status).toBe(200);
    expect(service.stdout + service.stderr).not.toMatch(TOKEN);
    const [bootstrap, ...others] = await listKeys();
    expect(bootstrap?.scopes).toEqual(expect.arrayContaining(['admin:keys', 'pets:read', 'pets:write']));
    expect(others).toEqual([]);
  });

  it('may be given again, but stops the start once it was revoked', async () => {
    await stop(await start({ BOOTSTRAP_API_KEY: token }));
    const again = await start({ BOOTSTRAP_API_KEY: token });
    expect((await again.fetch('/v1/pets', token)).status).toBe(200);
    const [bootstrap, ...others] = await listKeys();
    expect(others).toEqual([]);
    await stop(again);
    await cli('keys', 'revoke', bootstrap?.id as string, '--yes');

    const refused = new ServiceProcess({ BOOTSTRAP_API_KEY: token }, { cwd });
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.stderr).toBe('BOOTSTRAP_API_KEY was revoked; set another.\n');
    expect(refused.stdout).toBe('');
  });
});
