import { Client } from 'pg';
import { CliProcess } from '../cli/support/cli-process';
import { resultOf } from '../support/processes/command';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { startPostgresServer } from '../support/databases/postgres-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { milliseconds } from './support/responses';

/** Makes the migrations take three seconds in their middle. */
const SLOW_PETS = `
  CREATE FUNCTION sleep_at_pets() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.pets') THEN
      PERFORM pg_sleep(3);
    END IF;
  END $$;
  CREATE EVENT TRIGGER sleep_at_pets ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
    EXECUTE FUNCTION sleep_at_pets();`;

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
      expect(JSON.parse(await runCli(environment, cwd, 'db', 'status', '--json'))).toMatchObject({
        isCurrent: true,
      });
      expect([0, (await tables()).length]).toContain(left.length);
      await next.kill('SIGTERM');
    },
  );
});

describe('petstore db migrate', () => {
  it.each(['killed', 'told to end the connection'])(
    'says that it can be tried later when its primary is %s, and then succeeds: exit code 5',
    async (what) => {
      const server = await startPostgresServer();
      const connect = async () => {
        const connected = new Client({ connectionString: server.url });
        connected.on('error', () => undefined);
        await connected.connect();
        return connected;
      };
      let client = await connect();
      await client.query(SLOW_PETS);
      const cli = new CliProcess({ DATABASE_URL: server.url });
      const migration = resultOf(cli.start('db', 'migrate'));
      const sleeping = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      await until(async () => (await client.query(`SELECT 1 ${sleeping}`)).rows.length === 1);
      if (what === 'killed') await server.kill('SIGKILL');
      else await client.query(`SELECT pg_terminate_backend(pid) ${sleeping}`);
      const { code, stdout, stderr } = await migration;
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
      expect(stderr).toMatch(/^(Applying \w+\.\n)+The database cannot serve at the moment: [^\n]+\.\n$/);

      if (what === 'killed') {
        await server.start();
        client = await connect();
      }
      await client.query('DROP EVENT TRIGGER sleep_at_pets');
      expect(await cli.run('db', 'migrate')).toMatchObject({ code: 0 });
      await client.end();
      await server.stop();
    },
  );
});
