import SqliteDatabase from 'better-sqlite3';
import { createToken, hashToken } from '../../src/platform/security/api-key-token';
import { CliInProcess } from '../cli/support/cli-in-process';
import type { TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { exchange } from '../support/http/raw-http';
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
