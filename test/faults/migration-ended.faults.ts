import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { milliseconds } from './support/responses';
import { SLOW_PETS } from './support/slow-pets';

describe('A service that migrates PostgreSQL at its start', () => {
  let database: TestDatabase;
  let client: Client;

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(SLOW_PETS);
  });
  afterEach(async () => {
    await endServiceProcesses();
    await client.end();
    await database.drop();
  });

  const tables = async () => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    return rows.map(({ name }) => name);
  };
  const isMigrating = async () => {
    const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    return rows.length === 1;
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'and gets %s applies all of it or nothing, and the next start is ready',
    async (signal) => {
      const cwd = makeFolder();
      const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
      const service = new ServiceProcess(environment, { cwd });
      await until(isMigrating);
      const begun = performance.now();
      await service.kill(signal);
      recordFigure(
        'a migration that is ended',
        `${signal}: the process was gone after`,
        milliseconds(performance.now() - begun),
      );
      const left = await tables();
      // The statement that ran ends there in its own time.
      const next = await ServiceProcess.start(environment, { cwd });
      recordFigure(
        'a migration that is ended',
        `${signal}: the next one was ready after`,
        milliseconds(performance.now() - begun),
      );
      expect((await next.fetch('/health/ready', '')).status).toBe(200);
      expect([0, (await tables()).length]).toContain(left.length);
      await next.kill('SIGTERM');
    },
  );
});
