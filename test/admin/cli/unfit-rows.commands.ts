import { type MigrationInterface, type QueryRunner, TableForeignKey, TableIndex } from 'typeorm';
import { MIGRATIONS } from '../../../src/platform/database/schema/migrations.check';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import {
  requireCheck,
  requireNotNull,
  requireReferences,
  requireUnique,
} from '../../../src/platform/database/driver/requirements';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../support/databases/databases';
import { addToSchema } from '../../support/databases/with-schema';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { execute } from '../../cli/support/execute';

class CreateSuppliers1788000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE "unfit_countries" ("id" integer PRIMARY KEY)');
    await queryRunner.query(
      'CREATE TABLE "unfit_suppliers" ("id" integer PRIMARY KEY, "tax_number" text, "city" text, "country_id" integer, "removed" boolean)',
    );
  }

  async down(): Promise<void> {}
}

/** Id, tax number, city, country, and whether it was removed: 1, 4 and 9 share a number, which 8 had until it was removed. */
const ROWS = `
  (1, 'DE1', 'Bonn', 7, false), (2, 'DE2', NULL, 7, false), (3, NULL, 'Bonn', NULL, false), (4, 'DE1', 'Ulm', 7, false),
  (5, NULL, 'Ulm', 8, false), (8, 'DE1', NULL, 7, true), (9, 'DE1', 'Bonn', 9, false)`;

const UNIQUE = new TableIndex({
  name: 'uq_unfit_suppliers_tax_number',
  columnNames: ['tax_number'],
  isUnique: true,
  where: '"removed" = false',
});

class MakeTaxNumbersUnique1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await requireUnique(queryRunner, 'unfit_suppliers', ['tax_number'], '"removed" = false');
    await queryRunner.createIndex('unfit_suppliers', UNIQUE);
  }

  async down(): Promise<void> {}
}

class IndexTaxNumbers1790000000000 implements MigrationInterface {
  up(queryRunner: QueryRunner): Promise<void> {
    return queryRunner.createIndex('unfit_suppliers', UNIQUE);
  }

  async down(): Promise<void> {}
}

class AddNickname1789000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "unfit_suppliers" ADD COLUMN "nickname" text');
  }

  async down(): Promise<void> {}
}

class FillNicknames1791000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await requireNotNull(queryRunner, 'unfit_suppliers', 'nickname');
    await queryRunner.query(`UPDATE "unfit_suppliers" SET "nickname" = 'none'`);
  }

  async down(): Promise<void> {}
}

async function withMigrations(
  migrations: readonly (new () => MigrationInterface)[],
  work: () => Promise<void>,
): Promise<void> {
  const takeBack = addToSchema({ migrations: [CreateSuppliers1788000000000, ...migrations] });
  try {
    await work();
  } finally {
    takeBack();
  }
}

/** A migration that only requires something. */
function requiring(require: (queryRunner: QueryRunner) => Promise<void>): new () => MigrationInterface {
  return class Demand1790000000000 implements MigrationInterface {
    up(queryRunner: QueryRunner): Promise<void> {
      return require(queryRunner);
    }

    async down(): Promise<void> {}
  };
}

const NOTHING_CHANGED =
  'Nothing was changed, and the previous version still works on the database: correct the rows with it or by SQL, then migrate again.\n';

describeEachEngine('Rows that a migration cannot take, on the command line', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  const sql = async (statements: string) => {
    for (const statement of statements.split(';')) await execute(database, statement);
  };
  const columns = async () =>
    Object.keys((await execute<object>(database, 'SELECT * FROM "unfit_suppliers" LIMIT 1'))[0] ?? {});

  /** What the doctor says about the migrations; the command itself ends the process. */
  const examined = async () => {
    const settings = loadSettings({ DATABASE_URL: database.url });
    const dataSource = await openDatabase(settings);
    try {
      return await MIGRATIONS.check({ settings, database: () => Promise.resolve(dataSource) });
    } finally {
      await dataSource.destroy();
    }
  };

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await withMigrations([], async () => void (await cli.run('db', 'migrate')));
    await sql(`INSERT INTO "unfit_countries" VALUES (7), (8); INSERT INTO "unfit_suppliers" VALUES ${ROWS}`);
  });
  afterAll(() => database.drop());

  it('are named before it runs, with table, column, number and ids, in the same words by each command', async () => {
    const sentences =
      'unfit_suppliers.tax_number must be unique, and 3 rows share their values with other rows: ids 1, 4, 9. This shows them: ';
    const pending = [AddNickname1789000000000, MakeTaxNumbersUnique1790000000000, FillNicknames1791000000000];
    await withMigrations(pending, async () => {
      const { code, stdout, stderr } = await cli.run('db', 'migrate');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${MakeTaxNumbersUnique1790000000000.name} cannot be applied: ${sentences}`);
      expect(stderr.endsWith(NOTHING_CHANGED)).toBe(true);
      expect(await columns()).not.toContain('nickname');

      const shown = /SELECT .*;/.exec(stderr)?.[0] ?? '';
      expect((await execute<{ id: unknown }>(database, shown)).map(({ id }) => Number(id))).toEqual([
        1, 4, 9,
      ]);

      const foreseen = `MakeTaxNumbersUnique1790000000000 cannot be applied as the rows are now: ${sentences}`;
      const status = await cli.run('db', 'status', '--json');
      expect([status.code, status.stderr]).toEqual([1, expect.stringContaining(foreseen)]);
      const { migrations } = JSON.parse(status.stdout) as {
        migrations: { name: string; problem?: string }[];
      };
      expect(migrations.slice(-3).map(({ problem }) => problem)).toEqual([
        undefined,
        expect.stringContaining(foreseen),
        undefined,
      ]);
      const check = await cli.run('db', 'check');
      expect([check.code, check.stdout]).toEqual([1, expect.stringContaining(foreseen)]);
      expect(await examined()).toContainEqual(
        expect.objectContaining({ status: 'failed', reason: expect.stringContaining(foreseen) as unknown }),
      );
      const pets = await cli.run('pets', 'list');
      expect([pets.code, pets.stderr]).toEqual([
        1,
        engine === 'sqlite'
          ? stderr.replaceAll(/^Applying .*\n/gm, '')
          : (expect.stringContaining('"petstore db migrate"') as string),
      ]);
    });
  });

  it('are reported by the engine with the name of the migration when that does not check them', async () => {
    await withMigrations([IndexTaxNumbers1790000000000], async () => {
      expect(await cli.run('db', 'migrate')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Applying IndexTaxNumbers1790000000000\.\nIndexTaxNumbers1790000000000 cannot be applied: .*tax_number.* Nothing was changed\.\n$/s,
        ) as unknown,
      });
    });
  });

  it.each<[string, (queryRunner: QueryRunner) => Promise<void>, string]>([
    [
      'no value',
      (runner) => requireNotNull(runner, 'unfit_suppliers', 'city'),
      'unfit_suppliers.city must not be null, and 2 rows have no value: ids 2, 8. This shows them: SELECT * FROM "unfit_suppliers" WHERE "city" IS NULL ORDER BY "id";',
    ],
    [
      'a reference that leads nowhere',
      (runner) => requireReferences(runner, 'unfit_suppliers', 'country_id', 'unfit_countries'),
      'unfit_suppliers.country_id must refer to a row of unfit_countries, and 1 row refers to none: id 9. ',
    ],
    [
      'a text that is too long',
      (runner) => requireCheck(runner, 'unfit_suppliers', ['city'], 'length("city") <= 3'),
      'unfit_suppliers.city must fulfil length("city") <= 3, and 3 rows do not: ids 1, 3, 9. ',
    ],
    [
      'the values of several columns of other rows',
      (runner) => requireUnique(runner, 'unfit_suppliers', ['tax_number', 'city']),
      'unfit_suppliers.(tax_number, city) must be unique, and 2 rows share their values with other rows: ids 1, 9. ',
    ],
    [
      'more than five of them',
      (runner) => requireCheck(runner, 'unfit_suppliers', ['id', 'removed'], '"id" > 10'),
      'unfit_suppliers.(id, removed) must fulfil "id" > 10, and 7 rows do not: ids 1, 2, 3, 4, 5 and 2 more. ',
    ],
  ])('are named when they have %s', async (_title, require, message) => {
    await withMigrations([requiring(require)], async () => {
      const { code, stderr } = await cli.run('db', 'migrate');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as unknown });
    });
  });

  it('do not stop it once they are corrected', async () => {
    const foreignKey = new TableForeignKey({
      name: 'fk_unfit_suppliers_country_id',
      columnNames: ['country_id'],
      referencedTableName: 'unfit_countries',
      referencedColumnNames: ['id'],
    });
    class ReferToCountries1792000000000 implements MigrationInterface {
      async up(queryRunner: QueryRunner): Promise<void> {
        await requireReferences(queryRunner, 'unfit_suppliers', 'country_id', 'unfit_countries');
        await queryRunner.createForeignKey('unfit_suppliers', foreignKey);
      }

      async down(): Promise<void> {}
    }
    await sql(
      `UPDATE "unfit_suppliers" SET "tax_number" = NULL, "country_id" = 8 WHERE "id" IN (4, 9); UPDATE "unfit_suppliers" SET "city" = 'Rom' WHERE "id" > 0`,
    );
    await withMigrations([MakeTaxNumbersUnique1790000000000, ReferToCountries1792000000000], async () => {
      expect((await cli.run('db', 'status')).code).toBe(0);
      expect((await cli.run('db', 'migrate')).code).toBe(0);
    });
  });
});
