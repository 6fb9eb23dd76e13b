import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { describeFinding } from '@petstore/migrations';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import ts from 'typescript';
import { formatted } from '../src/text/format.ts';
import { findDifference } from '../src/migration/difference.ts';
import { buildMetadata, migrationSource } from '../src/migration/source.ts';
import { Refusal } from '../src/refusal.ts';
import { columnTypes } from '../../../src/platform/database/column-types.ts';
import { createDataSource } from '../../../src/platform/database/driver/data-source.ts';
import * as lateConstraints from '../../../src/platform/database/driver/late-constraints.ts';
import * as requirements from '../../../src/platform/database/driver/requirements.ts';
import { migrate, revert } from '../../../src/platform/database/schema/migrate.ts';
import { Animal, Area, Crop, Farm, Owner, Path } from '../../../test/ordinary-typeorm/farm.entities.ts';
import { Account, Entry, Sighting } from '../../../test/ordinary-typeorm/ledger.entities.ts';
import { Sale, Shop } from '../../../test/ordinary-typeorm/shop.entities.ts';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases.ts';
import { judgeEachMigration } from '../../../test/support/databases/describe-migrations.ts';
import { databaseSettings } from '../../../test/support/databases/sample-database.ts';
import {
  Clock,
  Hen,
  House,
  HousedHen,
  LayingHen,
  NamedHen,
  NestingHen,
  ParentTag,
  RequiredHen,
  ShrunkHen,
  Street,
  Tag,
  TaggedHen,
} from './support/growing-entities.ts';

const ROOT = join(__dirname, '..', '..', '..');
const EXAMPLE = join('test', 'ordinary-typeorm', 'create-shops.ts');
const CLASS = 'CreateShops1790000100000';
const ENTITIES = [Shop, Sale, Farm, Animal, Crop, Owner, Area, Path, Account, Entry, Sighting];

const engines = {
  sqlite: 'sqlite::memory:',
  postgres: 'postgres://localhost/none',
};

/** The same entities as an engine sees them. */
async function seenBy(engine: keyof typeof engines, entities: readonly Function[]) {
  const dataSource = createDataSource(databaseSettings(engines[engine]));
  dataSource.setOptions({ entities: [...(dataSource.options.entities as Function[]), ...entities] });
  await buildMetadata(dataSource);
  return { dataSource, words: columnTypes({ dataSource } as unknown as QueryRunner) };
}

describeEachEngine('A generated migration', (engine) => {
  let database: TestDatabase;
  const opened: DataSource[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    await migrate(await open([]));
  });
  afterEach(async () => {
    for (const dataSource of opened.splice(0)) if (dataSource.isInitialized) await dataSource.destroy();
  });
  afterAll(() => database.drop());

  async function open(entities: readonly Function[]): Promise<DataSource> {
    const dataSource = createDataSource(databaseSettings(database.url));
    dataSource.setOptions({ entities: [...(dataSource.options.entities as Function[]), ...entities] });
    opened.push(dataSource);
    return dataSource.initialize();
  }

  async function generate(entities: readonly Function[]) {
    const dataSource = await open(entities);
    const both = {
      sqlite: await seenBy('sqlite', entities),
      postgres: await seenBy('postgres', entities),
    };
    const source = migrationSource(CLASS, await findDifference(dataSource), both);
    return { dataSource, source: await formatted(ROOT, EXAMPLE, source) };
  }

  const missing = async (dataSource: DataSource) =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.length;

  async function run(dataSource: DataSource, source: string, direction: 'up' | 'down'): Promise<void> {
    const runner = dataSource.createQueryRunner();
    await runner.beforeMigration();
    await runner.startTransaction();
    await compiled(source)[direction](runner);
    await runner.commitTransaction();
    await runner.afterMigration();
    await runner.release();
  }

  it('is the one that the tests of a module on plain TypeORM run', async () => {
    const { source } = await generate([Shop, Sale]);
    const example = readFileSync(join(ROOT, EXAMPLE), 'utf8');
    expect(source).toBe(example);
  });

  it('creates exactly what is missing, and reverts exactly that', async () => {
    const { dataSource, source } = await generate(ENTITIES);
    const before = await missing(dataSource);
    expect(before).toBeGreaterThan(0);
    await run(dataSource, source, 'up');
    expect(await missing(dataSource)).toBe(0);
    await run(dataSource, source, 'down');
    expect(await missing(dataSource)).toBe(before);
  });

  it('is the same whichever engine it is generated on', async () => {
    const { source } = await generate(ENTITIES);
    expect(source).toContain("name: 'of_farm_crops'");
    generated.add(source);
    expect(generated.size).toBe(1);
  });

  describe('for an existing table', () => {
    beforeEach(async () => {
      const { dataSource, source } = await generate([Hen]);
      await run(dataSource, source, 'up');
    });
    afterEach(async () => {
      const dataSource = await open([]);
      await dataSource.query('DROP TABLE "gm_hens"');
    });

    it('adds columns, indexes and constraints, and hurts nothing that serves on a large table', async () => {
      const { dataSource, source } = await generate([NamedHen]);
      expect(source).toContain(
        "await queryRunner.addColumn('gm_hens', new TableColumn({ name: 'name', type: 'text', isNullable: true }));",
      );
      if (engine === 'postgres') {
        const hens = 'CREATE TABLE "gm_hens" ("id" integer PRIMARY KEY, "nestId" integer)';
        dataSource.migrations.splice(
          0,
          Infinity,
          {
            name: 'A1790000000000',
            up: (runner) => runner.query(hens) as Promise<never>,
            down: () => Promise.resolve(),
          },
          Object.assign(compiled(source), { name: 'B1790000100000' }),
        );
        expect((await judgeEachMigration(dataSource)).map(describeFinding)).toEqual([]);
      }
      await run(dataSource, source, 'up');
      expect(await missing(dataSource)).toBe(0);
      await run(dataSource, source, 'down');
      expect(await missing(await open([Hen]))).toBe(0);
    });

    it.each([
      ['share a value that becomes unique', '(1, NULL), (2, 1), (3, 1)', 'must be unique'],
      ['refer to no row', '(1, NULL), (2, 99)', 'must refer to a row of gm_hens'],
    ])('names the rows that %s, and changes nothing', async (_, rows, demand) => {
      const { dataSource, source } = await generate([NestingHen]);
      await dataSource.query(`INSERT INTO "gm_hens" ("id", "nestId") VALUES ${rows}`);
      const before = await missing(dataSource);
      await expect(run(dataSource, source, 'up')).rejects.toThrow(demand);
      await dataSource.destroy();
      expect(await missing(await open([NestingHen]))).toBe(before);
    });

    it('is refused for a column that rows of the former version would lack', async () => {
      await expect(generate([RequiredHen])).rejects.toThrow(
        new Refusal(
          'The column name that the entities add to "gm_hens" must be nullable or have a default: the previous version keeps inserting rows without it (docs/schema-changes.md).',
        ),
      );
    });

    it('is refused for a dropped column, with what to do', async () => {
      await expect(generate([ShrunkHen])).rejects.toThrow(
        new Refusal(
          'The entities ask for dropColumns() on "gm_hens" (nestId). Only new tables, columns, indexes and constraints are generated, because nodes of the previous version keep serving. Write other changes by hand, with npm run typeorm -- migration:create: docs/schema-changes.md has the steps.',
        ),
      );
    });
  });

  it.each([
    ['new tables that refer to each other', [], [House, Street]],
    ['a reference of a column to a new table', [Hen], [HousedHen, House, Street]],
    ['a reference to another column than the id', [Hen, Tag], [TaggedHen, Tag]],
    ['demands on rows without ids', [Tag], [ParentTag]],
    ['a condition on a new column', [Hen], [LayingHen]],
  ])('can be run with %s', async (_, before: Function[], after: Function[]) => {
    if (before.length > 0) {
      const { dataSource, source } = await generate(before);
      await run(dataSource, source, 'up');
    }
    const { dataSource, source } = await generate(after);
    await run(dataSource, source, 'up');
    expect(await missing(dataSource)).toBe(0);
    await run(dataSource, source, 'down');
    const emptied = await open(before);
    expect(await missing(emptied)).toBe(0);
    for (const { tableName } of before.map((each) => emptied.getMetadata(each))) {
      await emptied.query(`DROP TABLE "${tableName}"`);
    }
  });

  it('is refused for a column type that one of the engines does not have', async () => {
    await expect(generate([Clock])).rejects.toThrow(
      /Data type "timetz" in "Clock.at" is not supported by "better-sqlite3" database/,
    );
  });

  it('is refused while others are pending', async () => {
    await revert(await open([]));
    await expect(generate([Hen])).rejects.toThrow(
      new Refusal(
        'The database lacks migrations that the new one would repeat: run them first, with npm run typeorm -- migration:run.',
      ),
    );
  });
});

/** What each engine has led to. */
const generated = new Set<string>();

function compiled(source: string): MigrationInterface {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exports: Record<string, new () => MigrationInterface> = {};
  const load = (name: string): unknown =>
    name === 'typeorm' ? require('typeorm') : { columnTypes, ...lateConstraints, ...requirements };
  Reflect.apply(compileFunction(outputText, ['require', 'exports']), undefined, [load, exports]);
  const [Migration] = Object.values(exports);
  if (!Migration) throw new Error('The source exports no migration.');
  return new Migration();
}
