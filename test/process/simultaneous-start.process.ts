import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

const cwd = makeFolder();

let database: TestDatabase;

afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

/** Locks the file against writers, starts two services, and unlocks it when both are as far as they come. */
async function startTwoBehindALock(
  haveLooked: (services: readonly ServiceProcess[]) => Promise<void>,
  given: Readonly<Record<string, string>> = {},
): Promise<readonly ServiceProcess[]> {
  const sqlite = new SqliteDatabase(database.url.slice('sqlite:'.length));
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec('BEGIN IMMEDIATE');
  const environment = {
    DATABASE_URL: database.url,
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'debug',
    ...given,
  };
  const services = [1, 2].map(() => new ServiceProcess(environment, { cwd }));
  await haveLooked(services);
  sqlite.exec('ROLLBACK');
  sqlite.close();
  await Promise.all(services.map((service) => service.listening()));
  return services;
}

/** Waits until services have done all that a start does before it writes. */
async function haveBuilt(services: readonly ServiceProcess[]): Promise<void> {
  await until(() => services.every(({ stderr }) => stderr.includes('Nest application successfully started')));
}

/** Waits until services have the database open, which they do when they are about to migrate it. */
async function haveOpened(services: readonly ServiceProcess[]): Promise<void> {
  const file = database.url.slice('sqlite:'.length);
  await until(() => services.every(({ pid }) => openFilesOf(pid).includes(`${file}-wal`)));
}

/** The files that a process has open. */
function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** That both serve, with the one key that exactly one of them printed. */
async function expectOneFirstKey(services: readonly ServiceProcess[]): Promise<void> {
  const keys = services.map(({ printedKey }) => printedKey).filter((key) => key !== undefined);
  expect(keys).toHaveLength(1);
  for (const service of services) {
    expect((await service.fetch('/v1/pets', keys[0] as string)).status).toBe(200);
  }
}

describe('Two starts at once', () => {
  it('on an empty SQLite file migrate it once, print one first key, and both serve', async () => {
    database = await createTestDatabase('sqlite');
    await expectOneFirstKey(await startTwoBehindALock(haveOpened));
  });

  it('on a migrated SQLite file without a key print one first key, and both serve', async () => {
    database = await createMigratedDatabase('sqlite');
    await expectOneFirstKey(await startTwoBehindALock(haveBuilt));
  });

  it('on a migrated SQLite file with one new BOOTSTRAP_API_KEY make it once, and both serve', async () => {
    database = await createMigratedDatabase('sqlite');
    const key = createToken();
    for (const service of await startTwoBehindALock(haveBuilt, { BOOTSTRAP_API_KEY: key })) {
      expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    }
  });

  it('on an empty PostgreSQL database migrate it once, and both serve', async () => {
    database = await createTestDatabase('postgres');
    const start = () =>
      ServiceProcess.start(
        { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', DATABASE_STATEMENT_TIMEOUT_MS: '60000' },
        { cwd },
      );
    const services = await Promise.all([start(), start(), start(), start()]);
    for (const service of services) {
      expect((await service.fetch('/health/ready', '')).status).toBe(200);
    }
    // They take turns: the migrations before one without a transaction, that one, and those after it.
    const migrations = services.flatMap((service) =>
      service.log().flatMap((line) => (line['migrations'] as string[] | undefined) ?? []),
    );
    expect(migrations).toContain('CreatePets1763700045000');
    expect(migrations.toSorted()).toEqual([...new Set(migrations)].toSorted());
  });
});
