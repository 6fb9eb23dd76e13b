import {
  type DataSource,
  type MigrationInterface,
  type QueryRunner,
  Table,
  TableColumn,
  TableForeignKey,
  TableIndex,
} from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { createDataSource } from '../driver/data-source';
import type { Facts } from './facts';
import { judge, type MigrationPlan } from './plan-migrations';
import { recordMigrations } from './scratch';

/** The tables that are there. */
class Base1000000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'bigint', isPrimary: true } as const;
    await queryRunner.createTable(new Table({ name: 'owners', columns: [id] }));
    await queryRunner.createTable(
      new Table({
        name: 'pets',
        columns: [
          id,
          { name: 'name', type: 'varchar', length: '100' },
          { name: 'nickname', type: 'text', isNullable: true },
          { name: 'retired', type: 'text', isNullable: true },
          { name: 'age', type: 'integer', isNullable: true },
          { name: 'rank', type: 'integer', default: '0' },
          { name: 'owner_id', type: 'bigint', isNullable: true },
          { name: 'born', type: 'timestamp', isNullable: true },
        ],
        uniques: [{ name: 'uq_pets_name', columnNames: ['name'] }],
      }),
    );
    await queryRunner.query('CREATE UNIQUE INDEX "idx_pets_nickname" ON "pets" ("nickname")');
    await queryRunner.query(`
      ALTER TABLE pets ADD CONSTRAINT chk_pets_rank CHECK (rank >= 0) NOT VALID;
      CREATE TYPE mood AS ENUM ('calm', 'wild');
      ALTER TABLE pets ADD COLUMN mood mood;
      CREATE INDEX idx_pets_age ON pets (age, id);
      CREATE UNIQUE INDEX idx_pets_by_hand ON pets (owner_id, id);
      CREATE FUNCTION fill_pets() RETURNS void LANGUAGE sql AS 'UPDATE pets SET age = 1'`);
  }

  async down(): Promise<void> {}
}

type Up = string | ((queryRunner: QueryRunner) => Promise<unknown>);

/** Migrations that hurt, by the rule that names them. */
const BAD: readonly (readonly [rule: string, title: string, up: Up])[] = [
  ['required-column', 'adds a column NOT NULL', 'ALTER TABLE "pets" ADD COLUMN "size" text NOT NULL'],
  [
    'required-column',
    'adds one by TypeORM',
    (runner) => runner.addColumn('pets', new TableColumn({ name: 'size', type: 'text' })),
  ],
  [
    'required-column',
    'adds one in capitals and on lines',
    'alter table only pets\n  add\n size INTEGER not null, add x int',
  ],
  ['changed-type', 'changes a type', 'ALTER TABLE pets ALTER COLUMN age TYPE bigint'],
  ['changed-type', 'changes one without writing rows', 'ALTER TABLE pets ALTER nickname TYPE varchar(40)'],
  ['changed-type', 'shortens a text', 'ALTER TABLE pets ALTER name TYPE varchar(20)'],
  ['changed-type', 'gives times a zone', 'ALTER TABLE pets ALTER born TYPE timestamptz'],
  [
    'dropped-column',
    'changes one by TypeORM, which drops and adds it',
    (runner) =>
      runner.changeColumn('pets', 'age', new TableColumn({ name: 'age', type: 'text', isNullable: true })),
  ],
  ['blocking-index', 'makes an index', 'CREATE INDEX idx_a ON pets (age)'],
  [
    'blocking-index',
    'makes one that nobody has made before',
    'CREATE INDEX IF NOT EXISTS idx_a ON pets (age)',
  ],
  ['blocking-index', 'makes a unique one', 'CREATE UNIQUE INDEX idx_a ON pets USING btree (owner_id, age)'],
  [
    'blocking-index',
    'makes one by TypeORM',
    (runner) => runner.createIndex('pets', new TableIndex({ name: 'idx_a', columnNames: ['age'] })),
  ],
  ['blocking-index', 'makes one anew', 'REINDEX INDEX idx_pets_by_hand'],
  ['failing', 'makes one concurrently, in a transaction', 'CREATE INDEX CONCURRENTLY idx_a ON pets (age)'],
  ['dropped-column', 'drops a column', 'ALTER TABLE pets DROP COLUMN nickname'],
  ['dropped-column', 'drops one by TypeORM', (runner) => runner.dropColumn('pets', 'nickname')],
  [
    'dropped-column',
    'drops one beside other changes',
    'ALTER TABLE pets ADD a int, DROP IF EXISTS nickname, ADD b int',
  ],
  ['dropped-column', 'drops one by a block', `DO $$ BEGIN EXECUTE 'ALTER TABLE pets DROP nickname'; END $$`],
  ['renamed-column', 'renames a column', 'ALTER TABLE pets RENAME nickname TO called'],
  ['renamed-column', 'renames one by TypeORM', (runner) => runner.renameColumn('pets', 'nickname', 'called')],
  ['dropped-table', 'drops a table', 'DROP TABLE pets'],
  ['dropped-table', 'drops one with what depends on it', 'DROP TABLE IF EXISTS owners CASCADE'],
  ['renamed-table', 'renames a table', 'ALTER TABLE pets RENAME TO animals'],
  ['renamed-table', 'renames one by TypeORM', (runner) => runner.renameTable('pets', 'animals')],
  [
    'renamed-table',
    'moves one into another schema',
    'CREATE SCHEMA petstore_elsewhere; ALTER TABLE pets SET SCHEMA petstore_elsewhere',
  ],
  ['constraint-in-one-step', 'adds a check', `ALTER TABLE pets ADD CHECK (age > 0)`],
  [
    'constraint-in-one-step',
    'adds a column with a check',
    `ALTER TABLE pets ADD size text CHECK (size <> '')`,
  ],
  [
    'constraint-in-one-step',
    'adds a foreign key by TypeORM',
    (runner) =>
      runner.createForeignKey(
        'pets',
        new TableForeignKey({
          columnNames: ['owner_id'],
          referencedTableName: 'owners',
          referencedColumnNames: ['id'],
        }),
      ),
  ],
  [
    'constraint-in-one-step',
    'adds a column that refers',
    'ALTER TABLE pets ADD keeper bigint REFERENCES owners',
  ],
  ['constraint-in-one-step', 'adds a unique constraint', 'ALTER TABLE pets ADD UNIQUE (age)'],
  ['constraint-in-one-step', 'excludes equal rows', 'ALTER TABLE pets ADD EXCLUDE (age WITH =)'],
  [
    'constraint-in-one-step',
    'replaces a check under its name',
    'ALTER TABLE pets DROP CONSTRAINT chk_pets_rank, ADD CONSTRAINT chk_pets_rank CHECK (rank > 0)',
  ],
  [
    'constraint-in-one-step',
    'validates a check in the transaction that adds it',
    'ALTER TABLE pets ADD CONSTRAINT c CHECK (age > 0) NOT VALID; ALTER TABLE pets VALIDATE CONSTRAINT c',
  ],
  [
    'constraint-in-one-step',
    'validates one in a statement of its own',
    async (runner) => {
      await runner.query('ALTER TABLE pets ADD CONSTRAINT c CHECK (age > 0) NOT VALID');
      await runner.query('ALTER TABLE pets VALIDATE CONSTRAINT c');
    },
  ],
  ['required-existing-column', 'makes a column NOT NULL', 'ALTER TABLE pets ALTER nickname SET NOT NULL'],
  [
    'random-default',
    'adds random numbers',
    'ALTER TABLE pets ADD COLUMN lot double precision DEFAULT random()',
  ],
  [
    'random-default',
    'adds UUIDs',
    'ALTER TABLE pets ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid()',
  ],
  [
    'random-default',
    'adds times of the clock',
    'ALTER TABLE pets ADD COLUMN seen timestamptz DEFAULT clock_timestamp()',
  ],
  ['random-default', 'adds a number of a sequence', 'ALTER TABLE pets ADD COLUMN number bigserial'],
  [
    'random-default',
    'adds an identity',
    'ALTER TABLE pets ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY',
  ],
  [
    'random-default',
    'adds a column that is computed',
    'ALTER TABLE pets ADD double_age int GENERATED ALWAYS AS (age * 2) STORED',
  ],
  ['backfill', 'fills a column', `UPDATE pets SET nickname = name WHERE nickname IS NULL`],
  ['backfill', 'deletes rows', 'DELETE FROM pets WHERE age IS NULL'],
  [
    'backfill',
    'fills one beside a query',
    'WITH old AS (SELECT id FROM pets) UPDATE pets SET age = 1 FROM old WHERE old.id = pets.id',
  ],
  ['backfill', 'fills one by a function', 'SELECT fill_pets()'],
  ['backfill', 'copies rows', 'INSERT INTO owners (id) SELECT id FROM pets'],
  [
    'backfill',
    'fills by an entity manager',
    (runner) => runner.manager.createQueryBuilder().update('pets').set({ age: 1 }).execute(),
  ],
  ['dropped-default', 'drops a default that inserts rely on', 'ALTER TABLE pets ALTER rank DROP DEFAULT'],
  ['dropped-uniqueness', 'drops a unique constraint', 'ALTER TABLE pets DROP CONSTRAINT uq_pets_name'],
  ['dropped-uniqueness', 'drops a unique index', 'DROP INDEX idx_pets_nickname'],
  ['renamed-value', 'renames a value of an enum', `ALTER TYPE mood RENAME VALUE 'wild' TO 'untamed'`],
  ['rewritten-table', 'makes a table unlogged', 'ALTER TABLE pets SET UNLOGGED'],
  ['rewritten-table', 'sorts a table', 'CLUSTER pets USING idx_pets_by_hand'],
  ['emptied-table', 'empties a table', 'TRUNCATE pets'],
  ['locked-table', 'locks a table', 'LOCK TABLE pets'],
  ['failing', 'tidies up in a transaction', 'VACUUM FULL pets'],
];

/** Migrations that break none. */
const GOOD: readonly (readonly [title: string, up: Up])[] = [
  ['adds a column', 'ALTER TABLE pets ADD COLUMN size text'],
  [
    'adds one with a constant',
    `ALTER TABLE pets ADD COLUMN size text NOT NULL DEFAULT 'small', ADD seen timestamptz DEFAULT now()`,
  ],
  [
    'makes and fills a table',
    'CREATE TABLE toys (id int PRIMARY KEY, name text); CREATE INDEX idx_toys ON toys (name); INSERT INTO toys VALUES (1)',
  ],
  ['makes a table that refers', 'CREATE TABLE toys (id int PRIMARY KEY, pet_id bigint REFERENCES pets)'],
  ['finds an index that was made by hand', 'CREATE INDEX IF NOT EXISTS idx_by_hand ON pets (age)'],
  ['makes one on a small table', 'CREATE INDEX idx_small ON owners (id)'],
  ['adds a check for later', 'ALTER TABLE pets ADD CONSTRAINT c CHECK (age > 0) NOT VALID'],
  [
    'adds a foreign key for later',
    'ALTER TABLE pets ADD CONSTRAINT f FOREIGN KEY (owner_id) REFERENCES owners NOT VALID',
  ],
  [
    'makes an index that is there a constraint',
    'ALTER TABLE pets ADD CONSTRAINT u UNIQUE USING INDEX idx_pets_by_hand',
  ],
  ['drops a column that nobody uses', 'ALTER TABLE pets DROP COLUMN retired'],
  ['lengthens a text', 'ALTER TABLE pets ALTER name TYPE varchar(200)'],
  ['takes a text of any length', 'ALTER TABLE pets ALTER name TYPE text'],
  ['takes a column without a value', 'ALTER TABLE pets ALTER name DROP NOT NULL'],
  ['adds a value to an enum', `ALTER TYPE mood ADD VALUE 'shy'`],
  ['drops an index', 'DROP INDEX idx_pets_age'],
  ['adds a row', 'INSERT INTO owners (id) VALUES (1)'],
  ['reads rows', 'SELECT count(*) FROM pets'],
];

const USED = ['id', 'name', 'nickname', 'age', 'rank', 'owner_id', 'born'].map((name) => `pets.${name}`);

function migrationOf(up: Up): MigrationInterface {
  return {
    name: 'Changes2000000000000',
    up: async (runner) => void (await (typeof up === 'string' ? runner.query(up) : up(runner))),
    down: () => Promise.resolve(),
  };
}

describe('Rules for migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    dataSource = createDataSource(databaseSettings(database.url));
    dataSource.setOptions({ entities: [], migrations: [] });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const large = { rows: 5_000_000, bytes: 500_000_000 };
  const facts: Facts = {
    engine: 'postgres',
    sizes: new Map([
      ['pets', large],
      ['owners', large],
    ]),
    indexes: new Set(['idx_by_hand']),
    serving: { versions: ['1.0.0'], columns: new Set([...USED, 'owners.id']) },
    isPrepared: false,
  };

  async function plan(up: Up, known: Partial<Facts> = {}): Promise<MigrationPlan> {
    dataSource.migrations.splice(0, Infinity, new Base1000000000000(), migrationOf(up));
    const pending = ['Changes2000000000000'];
    return judge(await recordMigrations(dataSource, { pending, isEachAlone: false }), { ...facts, ...known });
  }

  it.each(BAD)('find %s in a migration that %s', async (rule, _title, up) => {
    const { findings } = await plan(up);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it.each(GOOD)('find nothing in a migration that %s', async (title, up) => {
    const small = { sizes: new Map([['pets', large]]) };
    const { findings } = await plan(up, title.includes('small') ? small : {});
    expect(findings).toEqual([]);
  });

  it.each([
    ['find', ['1.0.0'], ['required-existing-column']],
    ['do not find', [], []],
  ])('%s a column NOT NULL of a small table, while %j serve', async (_title, versions, rules) => {
    const known = { sizes: new Map(), serving: { versions, columns: undefined } };
    const { findings } = await plan('ALTER TABLE pets ALTER nickname SET NOT NULL', known);
    expect(findings.map((finding) => finding.rule)).toEqual(rules);
  });
});
