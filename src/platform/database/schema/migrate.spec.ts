import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'pg';
import { type DataSource, type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../../test/support/databases/databases';
import { databaseSettings, keepIdleRunners } from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import { createDataSource } from '../driver/data-source';
import { migrationName, migrationTime } from '../driver/schema-parts';
import { migrate, NewerDatabaseError, revert } from './migrate';
import { readSchemaState } from './schema-state';

const PROCESS = join(__dirname, '..', '..', '..', '..', 'test', 'support', 'fixtures', 'migrate-process.mjs');

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
};

const byTime = (one: MigrationInterface, other: MigrationInterface) =>
  migrationTime(migrationName(one)) - migrationTime(migrationName(other));

describeEachEngine('Migrations', (engine) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let known: string[];

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    dataSource = await createDataSource(databaseSettings(database.url)).initialize();
    known = dataSource.migrations.sort(byTime).map(migrationName);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await database.drop();
  });

  async function drift(): Promise<string[]> {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  }

  async function tables(): Promise<string[]> {
    const found: { name: string }[] = await dataSource.query(TABLES[engine]);
    return found.map(({ name }) => name).sort();
  }

  it('create the tables of the entities, without a difference', async () => {
    expect(await drift()).not.toEqual([]);
    expect(await migrate(dataSource)).toEqual(known);
    expect(await drift()).toEqual([]);
    expect(await readSchemaState(dataSource)).toEqual({ applied: known, pending: [], unknown: [] });
  });

  it('are applied outside of a transaction where one asks for that and the engine can', async () => {
    await migrate(dataSource);
    const plain = { name: 'First1790000000000', up: async () => undefined, down: async () => undefined };
    const alone = { ...plain, name: 'Alone1790000000001', transaction: false };
    dataSource.migrations.push(plain, alone);
    expect(await migrate(dataSource)).toEqual([plain.name, alone.name]);
  });

  it('are not applied twice', async () => {
    await migrate(dataSource);
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('can be reverted one by one down to nothing, and applied again', async () => {
    await migrate(dataSource);
    const full = await tables();
    const reverted: (string | undefined)[] = [];
    for (let i = 0; i < known.length; i++) reverted.push(await revert(dataSource));

    expect(reverted).toEqual(known.toReversed());
    expect(await revert(dataSource)).toBeUndefined();
    expect(await tables()).toEqual(['migrations']);

    expect(await migrate(dataSource)).toEqual(known);
    expect(await tables()).toEqual(full);
    expect(await drift()).toEqual([]);
  });

  it.each([
    [
      'a column too many',
      (at: string) => `ALTER TABLE "${at}" ADD COLUMN "stray" text`,
      /stray|CREATE TABLE "temporary_pets"/,
    ],
    [
      'an index that is missing',
      () => 'DROP INDEX "idx_pets_present_status_id"',
      /CREATE INDEX "idx_pets_present_status_id"/,
    ],
  ])('are reported when they do not match the entities: %s', async (_title, change, complaint) => {
    await migrate(dataSource);
    await dataSource.query(change('pets'));
    expect((await drift()).join('\n')).toMatch(complaint);
  });

  it('are reported when an entity has another column type', async () => {
    await migrate(dataSource);
    const runner = dataSource.createQueryRunner();
    await runner.changeColumn('pets', 'name', new TableColumn({ name: 'name', type: 'integer' }));
    await runner.release();
    expect(await drift()).not.toEqual([]);
  });

  it('are applied once by processes that start at the same time', async () => {
    const runs = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, [PROCESS, database.url]),
    );
    const applied = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as string[]);

    expect(applied.flat().toSorted()).toEqual(known.toSorted());
    expect(await readSchemaState(dataSource)).toEqual({ applied: known, pending: [], unknown: [] });
    expect(await drift()).toEqual([]);
  });

  it('of one transaction are all rolled back when one of them fails', async () => {
    const isLast = (_: unknown, i: number) => dataSource.migrations[i + 1]?.transaction === false;
    const last = dataSource.migrations.find(isLast) as MigrationInterface;
    const up = last.up.bind(last);
    jest.spyOn(last, 'up').mockImplementation(async (runner) => {
      await up(runner);
      throw new Error('no more disk');
    });
    const print = jest.spyOn(console, 'log');
    await expect(migrate(dataSource)).rejects.toThrow('no more disk');
    // The standard output holds the data of commands.
    expect(print).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    expect(await tables()).toEqual([]);
    expect(await migrate(dataSource)).toEqual(known);
  });

  it('run in the order of their times, however modules list them, and a failing one is named', async () => {
    dataSource.migrations.reverse();
    const [last] = dataSource.migrations;
    jest.spyOn(last as NonNullable<typeof last>, 'up').mockRejectedValue(new Error('no more disk'));
    expect((await readSchemaState(dataSource)).pending).toEqual(known);
    await expect(migrate(dataSource)).rejects.toThrow(`${known.at(-1)} cannot be applied: no more disk.`);
  });

  it('keep the rows that refer to a table of which a column changes, although SQLite makes the table anew', async () => {
    await dataSource.query('CREATE TABLE "owners" ("id" integer PRIMARY KEY, "name" text)');
    await dataSource.query(
      'CREATE TABLE "cats" ("id" integer PRIMARY KEY, "owner_id" integer REFERENCES "owners" ("id") ON DELETE CASCADE)',
    );
    await dataSource.query(`INSERT INTO "owners" VALUES (1, 'Ada')`);
    await dataSource.query('INSERT INTO "cats" VALUES (1, 1)');
    const last = dataSource.migrations.at(-1) as MigrationInterface;
    const required = new TableColumn({ name: 'name', type: 'text', isNullable: false });
    jest.spyOn(last, 'up').mockImplementation((runner) => runner.changeColumn('owners', 'name', required));
    await migrate(dataSource);
    expect(await dataSource.query<unknown[]>('SELECT 1 FROM "cats"')).toHaveLength(1);
  });

  it('are refused on a database of a newer version, which stays unchanged', async () => {
    await migrate(dataSource);
    await revert(dataSource);
    await dataSource.query(
      `INSERT INTO "migrations" ("timestamp", "name") VALUES (9999999999999, 'AddOrders9999999999999')`,
    );
    const before = await tables();
    await expect(migrate(dataSource)).rejects.toThrow(NewerDatabaseError);
    await expect(migrate(dataSource)).rejects.toThrow(
      'The database was migrated by a newer version of the service (AddOrders9999999999999 is unknown to this version).',
    );
    await expect(revert(dataSource)).rejects.toThrow(NewerDatabaseError);
    expect(await tables()).toEqual(before);
    expect(await readSchemaState(dataSource)).toEqual({
      applied: [...known.slice(0, -1), 'AddOrders9999999999999'],
      pending: known.slice(-1),
      unknown: ['AddOrders9999999999999'],
    });
  });
});

describe('Migrations on PostgreSQL', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
  });
  afterEach(() => database.drop());

  /** Its transactions may wait for other processes as long as a test may; a connection that is silent for longer is ended. */
  const patient = () => {
    const settings = databaseSettings(database.url, { databaseStatementTimeoutMs: 300_000 });
    return keepIdleRunners(createDataSource(settings)).initialize();
  };

  it('need only one connection of the pool, and have no time limit of requests', async () => {
    const settings = databaseSettings(database.url, {
      databasePoolSize: 1,
      databaseStatementTimeoutMs: 70_000,
    });
    const dataSource = await createDataSource(settings).initialize();
    /** How long a statement may take, and how long the server may be silent, in milliseconds. */
    const limits = async (runner: QueryRunner) => {
      const { connection } = (await runner.connect()) as { connection: Connection };
      const [row] = await runner.manager.query<{ ms: string }[]>(
        `SELECT setting AS ms FROM pg_settings WHERE name = 'statement_timeout'`,
      );
      return [Number(row?.ms), (connection.stream as Socket).timeout];
    };
    let inMigration: unknown;
    const first = dataSource.migrations[0];
    const up = first?.up.bind(first);
    jest.spyOn(first as NonNullable<typeof first>, 'up').mockImplementation(async (runner) => {
      inMigration = await limits(runner);
      await up?.(runner);
    });
    try {
      expect(await migrate(dataSource)).toHaveLength(dataSource.migrations.length);
      expect(inMigration).toEqual([0, 0]);
      const runner = dataSource.createQueryRunner();
      expect(await limits(runner)).toEqual([70_000, 71_000]);
      await runner.release();
    } finally {
      jest.restoreAllMocks();
      await dataSource.destroy();
    }
  });

  it('let requests pass while they wait for a long transaction, and finish when it ends', async () => {
    const dataSource = await patient();
    await migrate(dataSource);
    const last = dataSource.migrations.sort(byTime).at(-1) as MigrationInterface;
    const down = last.down.bind(last);
    let attempts = 0;
    jest.spyOn(last, 'down').mockImplementation(async (runner) => {
      attempts++;
      await runner.query('ALTER TABLE "pets" ADD "of_this_test" text');
      await down(runner);
    });
    const elsewhere = await patient();
    const long = elsewhere.createQueryRunner();
    try {
      await long.startTransaction();
      await long.query('SELECT 1 FROM "pets"');
      const reverting = revert(dataSource);
      await until(() => attempts > 0);
      // It waits behind the migration, and would wait for the long transaction.
      await dataSource.query('SELECT 1 FROM "pets"');
      await until(() => attempts > 1);
      await long.commitTransaction();
      expect(await reverting).toBe(migrationName(last));
    } finally {
      jest.restoreAllMocks();
      await long.release();
      await elsewhere.destroy();
      await dataSource.destroy();
    }
  });

  it('are rolled back when their process is killed, and applied by the next', async () => {
    const dataSource = await patient();
    const elsewhere = await patient();
    const inTheWay = elsewhere.createQueryRunner();
    const publicTables = () =>
      dataSource.query<unknown[]>(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    /** The connection on which a migration waits for that name. */
    const waiting = async () => {
      const [first] = await dataSource.query<{ pid: number }[]>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'transactionid' AND datname = current_database()`,
      );
      return first?.pid;
    };
    try {
      // A migration that comes after others has to wait for this name.
      await inTheWay.startTransaction();
      await inTheWay.query('CREATE TABLE "idempotent_answers" ()');
      const killed = execFile(process.execPath, [PROCESS, database.url]);
      // It waits for a second at a time, so what was seen once may be over at a second look.
      let ofKilled: number | undefined;
      await until(async () => (ofKilled = await waiting()) !== undefined);
      killed.kill('SIGKILL');
      const next = promisify(execFile)(process.execPath, [PROCESS, database.url]);
      const waits = until(async () => ![undefined, ofKilled].includes(await waiting()));
      // One that fails instead says why.
      await Promise.race([waits, next]);
      expect(await publicTables()).toEqual([]);
      await inTheWay.rollbackTransaction();
      expect(JSON.parse((await next).stdout)).toHaveLength(dataSource.migrations.length);
      expect((await readSchemaState(dataSource)).pending).toEqual([]);
    } finally {
      await inTheWay.release();
      await elsewhere.destroy();
      await dataSource.destroy();
    }
  });
});
