import { CliInProcess } from '../cli/support/cli-in-process';
import { execute } from '../cli/support/execute';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { migrate } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { createToken } from '../../src/platform/security/api-key-token';

const cwd = makeFolder();

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase('postgres');
});
afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

async function statusOf(service: ServiceProcess, path: string, key = createToken()): Promise<number> {
  return (await service.fetch(path, key)).status;
}

describe('A service on an empty PostgreSQL database', () => {
  it('is live but not ready, says how to migrate, and is ready after that without a restart', async () => {
    const environment = { DATABASE_URL: database.url };
    const service = await ServiceProcess.start(environment, { cwd });
    expect(await statusOf(service, '/health/live')).toBe(200);
    expect(await statusOf(service, '/health/ready')).toBe(503);
    // Not 401: whether the key is good cannot be told yet.
    expect(await statusOf(service, '/v1/pets')).toBe(503);
    expect(service.log().filter(({ level }) => level === 40)).toMatchObject([
      { msg: expect.stringContaining('"npm run -s petstore -- db migrate"') as unknown },
    ]);

    const cli = new CliInProcess(environment, cwd);
    await migrate(database.url);
    expect(await statusOf(service, '/health/ready')).toBe(200);
    const create = ['keys', 'create', '--name', 'me', '--scopes', 'pets:read'];
    const { key } = await cli.json<{ key: string }>(...create);
    expect(await statusOf(service, '/v1/pets', key)).toBe(200);
    expect(service.stdout).not.toMatch(/petk_[0-9A-Za-z]/);
  });

  it('migrates with MIGRATE_ON_START=true, and makes no key by itself', async () => {
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    const service = await ServiceProcess.start(environment, { cwd });
    expect(await statusOf(service, '/health/ready')).toBe(200);
    expect(service.stdout).not.toMatch(/petk_[0-9A-Za-z]/);
    expect(await new CliInProcess(environment, cwd).json('keys', 'list')).toEqual([]);
  });

  it('serves on the schema of a newer version, and names the migrations that it does not know', async () => {
    const environment = { DATABASE_URL: database.url };
    await migrate(database.url);
    const name = 'FromTheFuture9999999999999';
    await execute(database, `INSERT INTO migrations ("timestamp", "name") VALUES (9999999999999, '${name}')`);
    const service = await ServiceProcess.start(environment, { cwd });
    expect(await statusOf(service, '/health/ready')).toBe(200);
    expect(service.log().filter(({ level }) => level === 40)).toMatchObject([{ unknown: [name] }]);
  });
});
