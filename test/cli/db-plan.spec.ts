import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationPlan } from '../../src/platform/database/plan/plan-migrations';
import { loadSettings } from '../../src/platform/config/load-settings';
import { openDatabase } from '../../src/platform/database/driver/open';
import { startOn } from '../contract/support/start';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { until } from '../support/until';
import { CliInProcess } from './support/cli-in-process';
import { execute } from './support/execute';

class CreateToys1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE "toys" ("id" integer PRIMARY KEY)');
    await queryRunner.query('CREATE INDEX "idx_toys_id" ON "toys" ("id")');
    await queryRunner.query('ALTER TABLE "pets" ADD COLUMN "toy" text');
  }

  async down(): Promise<void> {}
}

class RequireSize1790000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('SELECT "name" FROM "pets"');
    await queryRunner.query('ALTER TABLE "pets" ADD COLUMN "size" text NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "pets" DROP COLUMN "size"');
  }
}

class DropCategory1790000002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "idx_pets_category_id_id"');
    await queryRunner.query('ALTER TABLE "pets" DROP COLUMN "category_id"');
  }

  async down(): Promise<void> {}
}

class CreateLamps1790000003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE "lamps" ("id" integer PRIMARY KEY)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "lamps"');
  }
}

const SIZE =
  'RequireSize1790000001000: The column pets.size is NOT NULL without a default, but the version before inserts rows without it. Make it nullable, or give it a constant default. See docs/schema-changes.md#rules';

describeEachEngine('petstore db plan', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;
  let takeBack: () => void;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    await execute(database, `INSERT INTO "pets" ("name", "category_id") VALUES ('Rex', 1)`);
  });
  beforeEach(() => {
    takeBack = () => undefined;
  });
  afterEach(() => takeBack());
  afterAll(() => database.drop());

  function pending(...migrations: (new () => MigrationInterface)[]): void {
    takeBack = addToSchema({ migrations });
  }

  /** All that there is, so that nothing of a plan is left behind. */
  const inventory = () =>
    execute(
      database,
      engine === 'postgres'
        ? `SELECT nspname, relname FROM pg_namespace LEFT JOIN pg_class ON relnamespace = pg_namespace.oid WHERE nspname !~ '^pg_' ORDER BY 1, 2`
        : 'SELECT name FROM sqlite_master ORDER BY name',
    );

  it('says that no migration is pending', async () => {
    const { code, stderr } = await cli.run('db', 'plan');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The database .* lacks no migration\.\n$/)]);
  });

  it('shows each statement with its lock and what is served, and changes nothing', async () => {
    pending(CreateToys1790000000000);
    const before = await inventory();
    const { code, stdout, stderr } = await cli.run('db', 'plan');
    const rows = stdout.split('\n').map((line) => line.split('\t').slice(1));
    const alter = 'ALTER TABLE "pets" ADD COLUMN "toy" text';
    expect(rows.slice(2, 4)).toEqual(
      engine === 'postgres'
        ? [
            ['CREATE INDEX "idx_toys_id" ON "toys" ("id")', '-', '-', '-', '-', 'all'],
            [alter, 'pets', expect.any(String), 'ACCESS EXCLUSIVE', 'under 1 s', 'nothing'],
          ]
        : [
            ['CREATE INDEX "idx_toys_id" ON "toys" ("id")', 'all', '-', 'write lock', 'under 1 s', 'reads'],
            [alter, 'all', '-', 'write lock', 'under 1 s', 'reads'],
          ],
    );
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/1 migration is pending .* breaks no rule\.\n$/),
    ]);
    expect(await inventory()).toEqual(before);
  });

  it('names what hurts, also as JSON, with exit code 4', async () => {
    pending(CreateToys1790000000000, RequireSize1790000001000);
    const { code, stdout, stderr } = await cli.run('db', 'plan', '--json');
    expect(code).toBe(4);
    const { migrations, findings } = JSON.parse(stdout) as MigrationPlan;
    expect(migrations.map(({ name, readsRows }) => [name, readsRows])).toEqual([
      ['CreateToys1790000000000', false],
      ['RequireSize1790000001000', true],
    ]);
    expect(findings).toMatchObject([{ migration: 'RequireSize1790000001000', rule: 'required-column' }]);
    expect(stderr).toContain(`RequireSize1790000001000 may do more than the plan shows`);
    expect(stderr).toContain(SIZE);
  });

  it('examines a migration that is older than one that is applied', async () => {
    pending(CreateLamps1790000003000);
    await cli.run('db', 'migrate');
    takeBack();
    pending(CreateToys1790000000000, CreateLamps1790000003000);
    const { code, stderr } = await cli.run('db', 'plan');
    await cli.run('db', 'revert', '--yes');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/1 migration is pending .* breaks no rule\.\n$/),
    ]);
  });

  if (engine === 'sqlite') return;

  it('knows tables that were made by hand, and waits for none', async () => {
    await execute(database, 'CREATE TABLE "shelves" ("id" integer PRIMARY KEY, "size" integer)');
    await execute(database, 'CREATE EXTENSION citext');
    class ChangeShelves1790000000000 implements MigrationInterface {
      async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('ALTER TABLE "shelves" ADD COLUMN "label" citext');
        await queryRunner.query('ALTER TABLE "shelves" RENAME CONSTRAINT "shelves_pkey" TO "pk_shelves"');
        await queryRunner.query('ALTER TABLE "shelves" ALTER COLUMN "size" TYPE bigint');
      }

      async down(): Promise<void> {}
    }
    pending(ChangeShelves1790000000000);
    const dataSource = await openDatabase(loadSettings({ DATABASE_URL: database.url }));
    const user = dataSource.createQueryRunner();
    try {
      await user.startTransaction();
      await user.query('SELECT 1 FROM "shelves"');
      const { code, stdout, stderr } = await cli.run('db', 'plan');
      expect([code, stderr]).toEqual([4, expect.stringContaining('The type of shelves.size changes')]);
      expect(stdout.match(/\tshelves\t.*\tACCESS EXCLUSIVE\t/g)).toHaveLength(3);
    } finally {
      await user.release();
      await dataSource.destroy();
    }
  });

  it('keeps db migrate from hurting, unless that is told to', async () => {
    pending(RequireSize1790000001000);
    const before = await inventory();
    const refused = await cli.run('db', 'migrate');
    expect(refused).toEqual({
      code: 4,
      stdout: '',
      stderr: `${SIZE}\nNothing was changed. Correct the migrations, or apply them with --unsafe.\n`,
    });
    expect(await inventory()).toEqual(before);
    await execute(database, 'DELETE FROM "pets"');
    expect((await cli.run('db', 'migrate', '--unsafe')).code).toBe(0);
    await cli.run('db', 'revert', '--yes');
  });

  it('lets a column be dropped once no process serves that uses it', async () => {
    const service = await startOn(database.url, {});
    try {
      const told = `SELECT 1 FROM "serving_processes" WHERE "used_columns" LIKE '%pets.category_id%'`;
      await until(async () => (await execute(database, told)).length > 0);
      pending(DropCategory1790000002000);
      const { code, stderr } = await cli.run('db', 'migrate');
      const sentence = /pets\.category_id is dropped, but version \S+ serves and uses it/;
      expect([code, stderr]).toEqual([4, expect.stringMatching(sentence)]);
    } finally {
      await service.stop();
    }
    const { code, stderr } = await cli.run('db', 'plan');
    expect([code, stderr]).toEqual([0, expect.stringContaining('No process serves on this database.')]);
  });

  it('is made by a start that migrates, which warns and goes on', async () => {
    await execute(
      database,
      `INSERT INTO "serving_processes" ("id", "host", "pid", "version", "node_version", "started_at", "seen_at") VALUES ('a', 'b', 1, '0.9.0', 'v24', now(), now())`,
    );
    pending(DropCategory1790000002000);
    const service = await startOn(database.url, { MIGRATE_ON_START: 'true' });
    await service.stop();
    expect(service.log()).toContain('pets.category_id is dropped, but version 0.9.0 serves and may use it');
    expect(service.log()).toContain('The database was migrated.');
  });
});
