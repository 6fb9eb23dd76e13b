import { makeFolder } from '../support/folders';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

describe('A service whose database is away', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgresServer();
  });
  afterEach(endServiceProcesses);
  afterAll(() => postgres.stop());

  it('logs at most one fault with its stack a second, and how many it has left out', async () => {
    const cwd = makeFolder();
    const settings = { NODE_ENV: 'production', DATABASE_URL: postgres.url };
    const service = await ServiceProcess.start({ ...settings, MIGRATE_ON_START: 'true' }, { cwd });
    const words = ['keys', 'create', '--name', 'test', '--scopes', 'pets:read', '--json'];
    const { key } = JSON.parse(await runCli(settings, cwd, ...words)) as { key: string };
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    await postgres.kill('SIGKILL');

    const before = performance.now();
    const count = 200;
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => (await service.fetch('/v1/pets', key)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([503]));
    const seconds = (performance.now() - before) / 1_000;

    type Line = { err?: { stack?: string }; requestId?: string; leftOut?: number };
    const lines = () =>
      service.stderr
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line);
    const faults = () => lines().filter(({ err, requestId }) => requestId && err?.stack);
    const leftOut = () => lines().reduce((sum, line) => sum + (line.leftOut ?? 0), 0);
    await until(() => faults().length + leftOut() >= count);
    expect(faults().length + leftOut()).toBe(count);
    expect(faults().length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
  });
});
