import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/databases/databases';
import { databaseSettings, keepIdleRunners } from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import { createDataSource } from '../driver/data-source';
import { migrate } from './migrate';
import { readSchemaState } from './schema-state';

const PAUSES_MS = Array<number>(100).fill(20);

class AddToy1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "pets" ADD COLUMN "toy" text');
  }

  async down(): Promise<void> {}
}

class IndexNames1790000001000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE UNIQUE INDEX CONCURRENTLY "idx_toys" ON "pets" ("name")');
  }

  async down(): Promise<void> {}
}

describe('Turns of migrations on PostgreSQL', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let opened: DataSource[];

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    opened = [];
    dataSource = await open();
    await migrate(dataSource);
  });
  afterEach(async () => {
    for (const each of opened) await each.destroy();
    await database.drop();
  });

  /** Its transactions may wait for others as long as a test may; a connection that is silent for longer is ended. */
  async function open(...pending: readonly MigrationInterface[]): Promise<DataSource> {
    const settings = databaseSettings(database.url, { databaseStatementTimeoutMs: 300_000 });
    const other = await keepIdleRunners(createDataSource(settings)).initialize();
    other.migrations.push(...pending);
    opened.push(other);
    return other;
  }

  async function withTableInUse(work: (end: () => Promise<void>) => Promise<void>): Promise<void> {
    const user = (await open()).createQueryRunner();
    await user.startTransaction();
    await user.query('SELECT 1 FROM "pets"');
    await work(() => user.commitTransaction());
    await user.release();
  }

  const columns = async () => {
    const found = await dataSource.query<{ name: string }[]>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'pets'`,
    );
    return found.map(({ name }) => name);
  };

  it('let clients be served while a table is in use, are told of, and land when it is free', async () => {
    const told: string[] = [];
    const observer = {
      applying: (name: string) => told.push(name),
      waiting: (sentence: string) => told.push(sentence),
    };
    await withTableInUse(async (end) => {
      const over = new AbortController();
      let served = 0;
      const client = (async () => {
        for (; !over.signal.aborted; served++) await dataSource.query('SELECT 1 FROM "pets"');
      })();
      const migrating = migrate(await open(new AddToy1790000000000()), observer, PAUSES_MS);
      for (const attempts of [1, 2, 3]) {
        await until(() => told.length >= 2 * attempts);
        const before = served;
        await until(() => served > before);
      }
      await end();
      expect(await migrating).toEqual(['AddToy1790000000000']);
      over.abort();
      await client;
    });
    expect(told.slice(0, 3)).toEqual([
      'AddToy1790000000000',
      'AddToy1790000000000 did not get a lock that another transaction holds: attempt 2 of 101 follows in 0.02 s.',
      'AddToy1790000000000',
    ]);
    expect(await columns()).toContain('toy');
  });

  it('end with the name of the migration, and change nothing, when the table is never free', async () => {
    await withTableInUse(async (end) => {
      const migrating = migrate(await open(new AddToy1790000000000()), {}, [10]);
      await expect(migrating).rejects.toThrow(
        /^AddToy1790000000000 needs a table that a long transaction uses.* Nothing was changed: end the transaction/,
      );
      await end();
    });
    expect(await columns()).not.toContain('toy');
    expect((await readSchemaState(opened.at(-1) as DataSource)).pending).toEqual(['AddToy1790000000000']);
  });

  it('name the invalid index that a migration without a transaction leaves, and what was applied before it stays', async () => {
    await dataSource.query(`INSERT INTO "pets" ("name", "category_id") VALUES ('Rex', 1), ('Rex', 1)`);
    const migrating = await open(new AddToy1790000000000(), new IndexNames1790000001000());
    await expect(migrate(migrating)).rejects.toThrow(
      /^IndexNames1790000001000 cannot be applied: .* DROP INDEX CONCURRENTLY idx_toys; drops it\.$/,
    );
    expect((await readSchemaState(migrating)).pending).toEqual(['IndexNames1790000001000']);
    await dataSource.query(`UPDATE "pets" SET "name" = "id"::text; DROP INDEX idx_toys`);
    expect(await migrate(migrating)).toEqual(['IndexNames1790000001000']);
  });

  it('wait for another process without keeping its index from being made', async () => {
    let begin: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let go: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (go = resolve));
    class IndexLater1790000001000 extends IndexNames1790000001000 {
      override async up(queryRunner: QueryRunner): Promise<void> {
        begin?.();
        await released;
        await super.up(queryRunner);
      }
    }
    const first = migrate(await open(new IndexLater1790000001000()));
    await begun;
    const waiting = jest.fn(() => go?.());
    const second = migrate(await open(new IndexLater1790000001000()), { waiting });
    expect(await first).toEqual(['IndexLater1790000001000']);
    expect(await second).toEqual([]);
    expect(waiting).toHaveBeenCalled();
  });
});
