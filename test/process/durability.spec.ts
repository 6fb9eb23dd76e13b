import { randomInt } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type Engine, type TestDatabase } from '../support/databases';
import { makeFolder } from '../support/folders';
import { fetchExactPet, PetWriters } from '../support/pet-writers';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';
import { until } from '../support/until';

const CLIENTS = 8;
/** How often each test kills; DURABILITY_KILLS raises (or lowers) them all. */
const kills = (usual: number) => Number(process.env.DURABILITY_KILLS ?? usual);

const key = createToken();
const cwd = makeFolder();

function environment(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    MIGRATE_ON_START: 'true',
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: 'info',
    DATABASE_POOL_WAIT_MS: '500',
  };
}

/** Compares ids and pets in both directions, and names the ids that differ. */
async function expectEach(
  service: ServiceProcess,
  writers: PetWriters,
  ids: readonly string[],
): Promise<void> {
  const found = await Promise.all(ids.map(async (id) => [id, await fetchExactPet(service, key, id)]));
  const sent = ids.map((id) => [id, { id, ...writers.acknowledged.get(id) }]);
  expect(found).toEqual(sent);
}

/** Kills the service within the very turn of the event loop in which the so-many-th acknowledgement has come. */
async function writeUntilKilled(service: ServiceProcess, writers: PetWriters): Promise<string[]> {
  const before = new Set(writers.acknowledged.keys());
  let left = randomInt(1, 100);
  writers.onAcknowledged = () => {
    if (--left === 0) service.signal('SIGKILL');
  };
  await writers.run(service, CLIENTS);
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  return [...writers.acknowledged.keys()].filter((id) => !before.has(id));
}

describe('A pet whose 201 was received', () => {
  let database: TestDatabase;

  afterEach(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  it.each<[Engine, number]>([
    ['sqlite', kills(12)],
    ['postgres', kills(6)],
  ])(
    'is there unchanged after the service is killed right after it, on %s, %i times',
    async (engine, rounds) => {
      database = await createTestDatabase(engine);
      const writers = new PetWriters(key);
      let service = await ServiceProcess.start(environment(database.url), { cwd });
      for (let round = 0; round < rounds; round++) {
        const ids = await writeUntilKilled(service, writers);
        expect(ids).not.toEqual([]);
        service = await ServiceProcess.start(environment(database.url), { cwd });
        await expectEach(service, writers, ids);
        if (engine === 'sqlite') expect(integrityOf(database)).toEqual([{ integrity_check: 'ok' }]);
      }
      await expectEach(service, writers, [...writers.acknowledged.keys()]);
      expect(writers.refused).toEqual(new Map());
    },
    kills(12) * 10_000,
  );
});

describe('A pet whose 201 was received from a service whose PostgreSQL server is killed', () => {
  let server: PostgresServer;

  beforeEach(async () => {
    server = await startPostgresServer();
  });
  afterEach(async () => {
    await endServiceProcesses();
    await server.stop();
  });

  it(
    'is there unchanged when the server is back, without a restart of the service, which answers 503 meanwhile',
    async () => {
      const writers = new PetWriters(key);
      const service = await ServiceProcess.start(environment(server.url), { cwd });
      const writing = writers.run(service, CLIENTS);
      for (let round = 0; round < kills(3); round++) {
        const enough = writers.acknowledged.size + randomInt(50, 200);
        await until(() => writers.acknowledged.size >= enough);
        const refusedBefore = writers.refused.get(503) ?? 0;
        await server.kill('SIGKILL');
        await until(() => (writers.refused.get(503) ?? 0) > refusedBefore);
        expect((await service.fetch('/health/live', key)).status).toBe(200);
        await server.start();
      }
      const before = writers.acknowledged.size;
      await until(() => writers.acknowledged.size > before);
      writers.stop();
      await writing;
      await expectEach(service, writers, [...writers.acknowledged.keys()]);
      expect([...writers.refused.keys()]).toEqual([503]);
      expect((await service.fetch('/health/ready', key)).status).toBe(200);
    },
    kills(3) * 30_000,
  );
});

function integrityOf({ url }: TestDatabase): unknown {
  const sqlite = new SqliteDatabase(url.slice('sqlite:'.length), { readonly: true });
  try {
    return sqlite.pragma('integrity_check');
  } finally {
    sqlite.close();
  }
}
