import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { KEY_CACHE_TTL_MS } from '../../src/auth/key-cache';
import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { makeFolder } from '../support/folders';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { milliseconds } from './support/responses';
import { recordFigure } from '../support/samples/figures';
import { freeze } from './support/frozen';
import { expectSoundPostgres } from './support/integrity';
import { Load } from './support/load';
import { expectAcknowledged, expectEachOnce } from './support/pets';
import { SIZES } from './support/sizes';

/** A request waits a second for a connection then, long enough to make one on a busy machine. */
const STATEMENT_TIMEOUT_MS = 2_500;

const key = createToken();
const cwd = makeFolder();

let server: PostgresServer;
let environment: Record<string, string>;
let load: Load;

beforeEach(async () => {
  server = await startPostgresServer();
  environment = {
    DATABASE_URL: server.url,
    MIGRATE_ON_START: 'true',
    BOOTSTRAP_API_KEY: key,
    DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
  };
  load = new Load(await ServiceProcess.start(environment, { cwd }), key);
  load.start();
  await load.progress(50);
});
afterEach(async () => {
  await endServiceProcesses();
  await server.stop();
});

/** That the same process serves on, lost nothing, doubled nothing, and refused only as it should. */
async function expectSound(): Promise<void> {
  await load.stop();
  const { service, writers, responses } = load;
  await expectAcknowledged(service, key, writers);
  await expectEachOnce(service, key, writers);
  await expectSoundPostgres(server.url);
  expect(load.withoutResponse).toBe(0);
  expect(responses.wrong).toEqual([]);
  await until(async () => (await service.fetch('/health/ready', key)).status === 200);
}

function record(fault: string, longestRecoveryMs: number): void {
  load.responses.record(fault);
  recordFigure(fault, 'pets acknowledged and checked', load.writers.acknowledged.size);
  recordFigure(fault, 'longest until a pet was acknowledged again', milliseconds(longestRecoveryMs));
}

describe('A service under load whose PostgreSQL server', () => {
  it(
    'is killed and started again responds with 503, loses no acknowledged pet, and recovers by itself',
    async () => {
      const fault = 'PostgreSQL killed';
      const newKey = await makeKey();
      let longest = 0;
      for (let outage = 0; outage < SIZES.outages; outage++) {
        await load.progress(50);
        await server.kill('SIGKILL');
        const end = performance.now() + KEY_CACHE_TTL_MS;
        await load.more(503, 20);
        expect((await load.service.fetch('/health/live', key)).status).toBe(200);
        // In one outage the cache forgets all keys: they are not refused for that.
        if (outage === 0) await until(() => performance.now() > end);
        await load.more(503, 20);
        // A key that was not used yet, and one that does not exist: neither can be looked up.
        for (const one of [newKey, createToken()]) {
          const response = await timed(() => load.service.fetch('/v1/pets', one));
          expect(response?.status).toBe(503);
        }
        await server.start();
        longest = Math.max(longest, await load.progress(1));
      }
      await until(async () => (await load.service.fetch('/v1/pets', newKey)).status === 200);
      await expectSound();
      recordFigure(fault, 'outages', SIZES.outages);
      record(fault, longest);
    },
    300_000 + SIZES.outages * 20_000,
  );

  it('hangs with open connections responds with 503 in time, and recovers by itself', async () => {
    const fault = 'PostgreSQL frozen';
    const goOn = freeze(server.pid);
    try {
      // More than there are connections: also those are answered that waited for one that hung.
      const asked = Array.from({ length: 30 }, () =>
        timed(() => load.service.fetch('/v1/pets?limit=100', key)),
      );
      const responses = await Promise.all(asked);
      expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([503]));
      const ready = await load.service.fetch('/health/ready', key);
      expect(ready.status).toBe(503);
      await load.more(503, 50);
    } finally {
      goOn();
    }
    const recovery = await load.progress(1);
    await expectSound();
    record(fault, recovery);
  });

  it(
    'cuts every connection again and again responds with 503 or serves, and loses no acknowledged pet',
    async () => {
      const fault = 'connections to PostgreSQL cut';
      const operator = new Client({ connectionString: server.url });
      await operator.connect();
      let connections = 0;
      let longest = 0;
      for (let cut = 0; cut < SIZES.cuts; cut++) {
        const result = await operator.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'`,
        );
        connections += result.rowCount ?? 0;
        if (cut % 10 === 0) longest = Math.max(longest, await load.progress(1));
        await pause(10);
      }
      await operator.end();
      await expectSound();
      expect(connections).toBeGreaterThan(0);
      recordFigure(fault, 'connections cut', connections);
      record(fault, longest);
    },
    300_000 + SIZES.cuts * 500,
  );
});

async function makeKey(): Promise<string> {
  const words = ['keys', 'create', '--name', 'new', '--scopes', 'pets:read', '--json'];
  return (JSON.parse(await runCli(environment, cwd, ...words)) as { key: string }).key;
}
