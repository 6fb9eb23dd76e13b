import { Client, escapeIdentifier } from 'pg';
import { openDatabase } from '../../src/platform/database/driver/open';
import { migrate } from '../../src/platform/database/schema/migrate';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { migrate as migrateDatabase } from '../support/databases/migrated-database';
import { databaseSettings } from '../support/databases/sample-database';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { expectSoundPostgres } from './support/integrity';
import { Load } from './support/load';
import { expectAcknowledged, expectEachOnce } from './support/pets';
import { PgBouncer } from './support/pgbouncer';
import { milliseconds } from './support/responses';

const STATEMENT_TIMEOUT_MS = 2_500;
const FAULT = 'PgBouncer, pooling by transaction';

const key = createToken();
const cwd = makeFolder();

let database: TestDatabase;
let bouncer: PgBouncer;
let environment: Record<string, string>;

async function startBouncer(settings?: Record<string, string>): Promise<void> {
  bouncer = await PgBouncer.run(database.url, settings);
  environment = {
    DATABASE_URL: bouncer.url,
    BOOTSTRAP_API_KEY: key,
    DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
  };
}

/** What a service writes that does not start. */
async function refusal(): Promise<string> {
  const service = new ServiceProcess({ ...environment, MIGRATE_ON_START: 'true' }, { cwd });
  expect((await service.ended).code).not.toBe(0);
  return service.stderr;
}

beforeEach(async () => {
  database = await createTestDatabase('postgres');
});
afterEach(async () => {
  await endServiceProcesses();
  await bouncer.kill();
  await database.drop();
});

describe('A service whose PostgreSQL is behind PgBouncer, which pools by transaction', () => {
  it('does not start when PgBouncer refuses the time limit of statements, and names that', async () => {
    await startBouncer({ ignore_startup_parameters: '' });
    expect(await refusal()).toContain('unsupported startup parameter: statement_timeout');
  });

  it('refuses a migration without a transaction', async () => {
    await startBouncer();
    const dataSource = await openDatabase(databaseSettings(bouncer.url));
    await migrate(dataSource);
    dataSource.migrations.push({
      name: 'IndexPets1790000000000',
      transaction: false,
      up: (runner) => runner.query('CREATE INDEX CONCURRENTLY idx_a ON pets (name)') as Promise<never>,
      down: () => Promise.resolve(),
    });
    await expect(migrate(dataSource)).rejects.toThrow('a pooler such as PgBouncer does not let it');
    await dataSource.destroy();
  });

  it('reads instants through it as they are, whatever the defaults of the database', async () => {
    await startBouncer({ default_pool_size: '1' });
    await setDefault(`datestyle = 'German'`);
    await setDefault(`timezone = 'Asia/Kathmandu'`);
    const dataSource = await openDatabase(databaseSettings(bouncer.url));
    // Another client of the same connection of the server, which asks for its own.
    const other = new Client({ connectionString: bouncer.url });
    await other.connect();
    for (let turn = 0; turn < 3; turn++) {
      await other.query(`SET datestyle = 'SQL, DMY'`);
      expect(await dataSource.query(`SELECT '2026-11-22T09:30:00.123Z'::timestamptz AS at`)).toEqual([
        { at: new Date('2026-11-22T09:30:00.123Z') },
      ]);
    }
    await other.end();
    await dataSource.destroy();
  });

  it('does not start when the server rounds doubles, which a pooler lets nobody change', async () => {
    await startBouncer();
    await setDefault('extra_float_digits = 0');
    expect(await refusal()).toContain('extra_float_digits');
  });

  it('migrates and serves through it, and survives a reload, a pause and its end under load', async () => {
    await startBouncer();
    await limitStatements();
    await Promise.all([1, 2].map(() => migrateDatabase(bouncer.url)));
    const service = await ServiceProcess.start(environment, { cwd });
    const load = new Load(service, key);
    load.start();
    await load.progress(50);

    await bouncer.command('RELOAD');
    await load.progress(50);
    expect(load.responses.statuses).toEqual([200, 201]);

    await bouncer.command('PAUSE');
    await load.more(503, 10);
    await bouncer.command('RESUME');
    const paused = await load.progress(1);

    await load.progress(50);
    await bouncer.kill();
    await load.more(503, 10);
    expect((await service.fetch('/health/live', key)).status).toBe(200);
    await bouncer.start();
    const killed = await load.progress(1);

    await load.stop();
    expect(load.responses.wrong).toEqual([]);
    expect(load.withoutResponse).toBe(0);
    await expectAcknowledged(service, key, load.writers);
    await expectEachOnce(service, key, load.writers);
    await expectSoundPostgres(database.url);
    await until(async () => (await service.fetch('/health/ready', key)).status === 200);

    load.responses.record(FAULT);
    recordFigure(FAULT, 'version', String(PgBouncer.version() / 100));
    recordFigure(FAULT, 'connections of the service', 10);
    recordFigure(FAULT, 'pets acknowledged and checked', load.writers.acknowledged.size);
    recordFigure(FAULT, 'until a pet was acknowledged after RESUME', milliseconds(paused));
    recordFigure(FAULT, 'until a pet was acknowledged after its restart', milliseconds(killed));
  });
});

/** PgBouncer does not hand on the time limit that a client asks for: it has to stand at the database. */
function limitStatements(): Promise<void> {
  return setDefault(`statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
}

/** Sets a default of the connections of the database. */
async function setDefault(setting: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const name = escapeIdentifier(new URL(database.url).pathname.slice(1));
  await client.query(`ALTER DATABASE ${name} SET ${setting}`);
  await client.end();
}
