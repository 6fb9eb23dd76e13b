import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import SqliteDatabase from 'better-sqlite3';
import { createToken, hashToken } from '../../src/platform/security/api-key-token';
import { CliInProcess } from '../cli/support/cli-in-process';
import { CLI_ENTRY } from '../cli/support/cli-process';
import type { TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { exchange } from '../support/http/raw-http';
import { type CommandResult, resultOf } from '../support/processes/command';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

const TOKEN = /petk_[0-9A-Za-z]/;
const PET = '{"name":"Rex","categoryId":3}';

interface Issued {
  readonly id: string;
  readonly key: string;
}

interface Shown {
  readonly lastUsedAt: string | null;
}

const cwd = makeFolder();

let database: TestDatabase;
let cli: CliInProcess;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite');
  cli = new CliInProcess({ DATABASE_URL: database.url }, cwd);
  service = await ServiceProcess.start(
    { DATABASE_URL: database.url, LOG_LEVEL: 'trace', NODE_ENV: 'production' },
    { cwd },
  );
});
afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

function makeKey(...options: string[]): Promise<Issued> {
  const scopes = 'pets:read,pets:write';
  return cli.json('keys', 'create', '--name', 'me', '--scopes', scopes, ...options);
}

/** Runs a command whose data goes to a disk without room. */
async function onFullDisk(words: readonly string[]): Promise<CommandResult> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI_ENTRY, ...words], {
    cwd,
    env: { PATH: process.env.PATH, DATABASE_URL: database.url },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const unread = { stdout: Readable.from([]) };
  return resultOf(Object.assign(child, unread) as ChildProcessByStdio<null, Readable, Readable>);
}

/** Runs a command of whose data nobody reads anything. */
function withoutReader(words: readonly string[]): Promise<CommandResult> {
  const child = cli.process.start(...words);
  const result = resultOf(child);
  child.stdout.destroy();
  return result;
}

function show(id: string): Promise<Shown> {
  return cli.json('keys', 'show', id);
}

/** Changes the database behind the service's back. */
function execute(sql: string, ...values: string[]): void {
  const sqlite = new SqliteDatabase(database.url.slice('sqlite:'.length));
  sqlite.prepare(sql).run(...values);
  sqlite.close();
}

describe('An API key of a process', () => {
  it('has its last use, and its calls of each operation, written when the service stops', async () => {
    const { id, key } = await makeKey();
    const unused = await makeKey();
    const earliest = new Date().toISOString();
    await service.post('/v1/pets', key, PET);
    await service.fetch('/v1/pets/1', key);
    await service.fetch('/v1/pets/2', key);
    const latest = new Date().toISOString();
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });

    const { lastUsedAt } = await show(id);
    expect([earliest, lastUsedAt, latest]).toEqual([earliest, lastUsedAt, latest].toSorted());
    expect((await show(unused.id)).lastUsedAt).toBeNull();
    const sqlite = new SqliteDatabase(database.url.slice('sqlite:'.length), { readonly: true });
    expect(sqlite.prepare('SELECT key_id, operation, count FROM operation_uses').all()).toEqual([
      { key_id: id, operation: 'createPet', count: 1 },
      { key_id: id, operation: 'getPet', count: 2 },
    ]);
    sqlite.close();
  });

  it.each([
    ['a full disk', (words: string[]) => onFullDisk(words)],
    ['a reader that has gone', (words: string[]) => withoutReader(words)],
  ])(
    'is not lost without a word when it is printed to %s: another secret takes its place',
    async (_where, run) => {
      const scopes = ['--scopes', 'pets:read'];
      const { id: rotated } = await makeKey();
      for (const words of [
        ['create', '--name', 'lost', ...scopes],
        ['create', '--name', 'lost', ...scopes, '--json'],
        ['rotate', rotated, '--overlap', '0'],
      ]) {
        const { code, stderr } = await run(['keys', ...words]);
        expect(code).toBe(1);
        const [proposed, id = ''] = / keys rotate (key_\w+) --overlap 0/.exec(stderr) ?? [];
        expect(proposed).toBeDefined();
        const { key } = await cli.json<Issued>('keys', 'rotate', id, '--overlap', '0');
        expect((await service.fetch('/v1/pets', key)).status).toBe(200);
      }
    },
  );

  it('never appears in what the service writes, wherever a client puts it and whatever fails', async () => {
    const { key } = await makeKey();
    const unknown = createToken();
    for (const token of [key, unknown, `${unknown.slice(0, -1)}!`]) {
      await service.fetch('/v1/pets', token);
      await service.fetch(`/v1/pets/${token}`, token);
      await service.fetch(`/v1/pets?${token}=${token}`, token, { headers: { 'x-request-id': token } });
      await service.post('/v1/pets', token, `{"name":"${token}","categoryId":"${token}"}`);
      await exchange(service.port, `${token} /${token} HTTP/1.1\r\n${token}\r\n\r\n`);
    }
    execute(`CREATE TRIGGER broken BEFORE INSERT ON pets BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    const failed = await service.fetch('/v1/pets', key, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': key },
      body: `{"name":"${key}","categoryId":3}`,
    });
    expect(failed.status).toBe(500);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });

    expect(service.stderr).toContain('broken');
    expect(service.stderr).not.toMatch(TOKEN);
    expect(service.stderr).not.toContain(hashToken(key));
    expect(service.stdout).toBe('');
  });
});
