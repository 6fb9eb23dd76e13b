import { type Finding, RULES } from '@petstore/migrations';
import { type MigrationInterface, TableColumn, TableForeignKey, TableIndex } from 'typeorm';
import { Base1000000000000, Judged, migrationOf, type Transaction, type Up } from './judged';

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
  ['blocking-index', 'makes a unique one', 'CREATE UNIQUE INDEX idx_a ON pets USING btree (owner_id, age)'],
  [
    'blocking-index',
    'makes one by TypeORM',
    (runner) => runner.createIndex('pets', new TableIndex({ name: 'idx_a', columnNames: ['age'] })),
  ],
  ['blocking-index', 'makes one anew', 'REINDEX INDEX idx_pets_by_hand'],
  ['blocking-index', 'makes one of a table with its schema', 'CREATE INDEX idx_a ON "public"."pets" (age)'],
  ['failing', 'makes one concurrently, in a transaction', 'CREATE INDEX CONCURRENTLY idx_a ON pets (age)'],
  ['dropped-column', 'drops a column', 'ALTER TABLE pets DROP COLUMN nickname'],
  ['dropped-column', 'drops one by TypeORM', (runner) => runner.dropColumn('pets', 'nickname')],
  [
    'dropped-column',
    'drops one beside other changes',
    'ALTER TABLE pets ADD a int, DROP IF EXISTS nickname, ADD b int',
  ],
  ['dropped-column', 'drops one by a block', `DO $$ BEGIN EXECUTE 'ALTER TABLE pets DROP nickname'; END $$`],
  ['dropped-column', 'drops one of a table with its schema', 'ALTER TABLE public.pets DROP COLUMN name'],
  ['renamed-column', 'renames a column', 'ALTER TABLE pets RENAME nickname TO called'],
  ['renamed-column', 'renames one by TypeORM', (runner) => runner.renameColumn('pets', 'nickname', 'called')],
  ['dropped-table', 'drops a table', 'DROP TABLE pets'],
  ['dropped-table', 'drops one with what depends on it', 'DROP TABLE IF EXISTS owners CASCADE'],
  ['dropped-table', 'drops the schema of tables', 'DROP SCHEMA public CASCADE'],
  ['dropped-schema', 'drops a schema that only the database knows', 'DROP SCHEMA IF EXISTS reports CASCADE'],
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
  ['backfill', 'fills one of a table with its schema', `UPDATE public.pets SET nickname = 'Rex'`],
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
  ['locked-table', 'locks one with its schema, from writers', 'LOCK TABLE ONLY public.pets IN SHARE MODE'],
  ['sleep', 'sleeps under a lock', 'LOCK TABLE public.pets; SELECT pg_sleep(0)'],
  ['sleep', 'sleeps in a block', `DO $$ BEGIN PERFORM pg_sleep_for('0 s'); END $$`],
  ['ended-transaction', 'commits what it has done', 'COMMIT; ALTER TABLE public.pets ADD COLUMN leaked int'],
  [
    'unseen-work',
    'goes through rows in a block',
    `DO $$ DECLARE pet record; BEGIN
       FOR pet IN SELECT id FROM public.pets LOOP EXECUTE 'DELETE FROM pets WHERE id = ' || pet.id; END LOOP;
     END $$`,
  ],
  [
    'unseen-work',
    'decides in a block by what rows there are',
    `DO $$ BEGIN IF EXISTS (SELECT 1 FROM pets) THEN DROP TABLE pets; END IF; END $$`,
  ],
  [
    'trigger',
    'drops rows by a trigger',
    'CREATE TRIGGER refuse BEFORE INSERT ON public.pets FOR EACH ROW EXECUTE FUNCTION refuse_row()',
  ],
  [
    'trigger',
    'drops rows by a trigger that was there',
    `CREATE OR REPLACE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  ],
  ['rule', 'drops rows by a rule', 'CREATE RULE refuse AS ON INSERT TO public.pets DO INSTEAD NOTHING'],
  ['row-security', 'hides rows', 'ALTER TABLE public.pets ENABLE ROW LEVEL SECURITY'],
  ['row-security', 'says which rows are hidden', 'CREATE POLICY none ON public.pets USING (false)'],
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
  ['adds a check for later', 'ALTER TABLE pets ADD CONSTRAINT c CHECK (age > 0) NOT VALID'],
  [
    'adds a foreign key for later',
    'ALTER TABLE pets ADD CONSTRAINT f FOREIGN KEY (owner_id) REFERENCES owners NOT VALID',
  ],
  [
    'makes an index that is there a constraint',
    'ALTER TABLE pets ADD CONSTRAINT u UNIQUE USING INDEX idx_pets_by_hand',
  ],
  ['makes a checked column NOT NULL', 'ALTER TABLE public.pets ALTER weight SET NOT NULL'],
  ['lengthens a text', 'ALTER TABLE pets ALTER name TYPE varchar(200)'],
  ['takes a text of any length', 'ALTER TABLE pets ALTER name TYPE text'],
  ['takes a column without a value', 'ALTER TABLE pets ALTER name DROP NOT NULL'],
  ['adds a value to an enum', `ALTER TYPE mood ADD VALUE 'shy'`],
  ['drops an index', 'DROP INDEX idx_pets_age'],
  ['adds a row', 'INSERT INTO owners (id) VALUES (1)'],
  ['reads rows', 'SELECT count(*) FROM pets'],
  ['locks a table against other migrations', 'LOCK TABLE pets IN SHARE UPDATE EXCLUSIVE MODE'],
  [
    'looks at rows once they are written',
    'CREATE TRIGGER look AFTER INSERT ON pets FOR EACH ROW EXECUTE FUNCTION keep_row()',
  ],
  ['calls a function', `SELECT set_config('petstore.a', 'b', true)`],
];

const rulesOf = (findings: readonly Finding[]) => findings.map(({ rule }) => rule);

describe('Rules for migrations', () => {
  let judged: Judged;
  beforeAll(async () => (judged = await Judged.on('postgres')));
  afterEach(() =>
    judged.dataSource.query(
      'DROP SCHEMA IF EXISTS public, petstore_elsewhere, petstore_judge CASCADE; CREATE SCHEMA public',
    ),
  );
  afterAll(() => judged.drop());

  const findingsIn = (up: Up, transaction?: Transaction) =>
    judged.judge(new Base1000000000000(), migrationOf(up, transaction));

  it.each(BAD)('find %s in a migration that %s', async (rule, _title, up) => {
    expect(rulesOf(await findingsIn(up))).toContain(rule);
  });

  it.each(GOOD)('find nothing in a migration that %s', async (_title, up) => {
    expect(await findingsIn(up)).toEqual([]);
  });

  it.each([
    ['nothing', 'concurrently', 'CREATE INDEX CONCURRENTLY idx_a ON pets (age)', []],
    ['what blocks', 'at once', 'CREATE INDEX idx_a ON pets (age)', ['blocking-index']],
  ])('find %s in a migration without a transaction that makes an index %s', async (_a, _b, up, rules) => {
    expect(rulesOf(await findingsIn(up, { transaction: false }))).toEqual(rules);
  });

  it('are each broken by a migration here', () => {
    expect(RULES.map(({ name }) => name).sort()).toEqual([...new Set(BAD.map(([rule]) => rule))].sort());
  });
});

describe('Migrations on SQLite', () => {
  let judged: Judged;
  beforeEach(async () => (judged = await Judged.on('sqlite')));
  afterEach(() => judged.drop());

  const base: MigrationInterface = {
    name: 'Base1000000000000',
    up: (runner) => runner.query('CREATE TABLE pets (id integer PRIMARY KEY)') as Promise<never>,
    down: () => Promise.resolve(),
  };

  it.each([
    ['required-column', `ALTER TABLE pets ADD COLUMN size text NOT NULL`],
    ['failing', 'ALTER TABLE cats ADD COLUMN size text'],
    ['ended-transaction', 'COMMIT'],
  ])('break the rule %s: %s', async (rule, up) => {
    expect(rulesOf(await judged.judge(base, migrationOf(up)))).toContain(rule);
  });

  it('break none as they change what one version alone uses', async () => {
    expect(await judged.judge(base, migrationOf('DROP TABLE pets'))).toEqual([]);
  });
});

describe('judgeMigrations()', () => {
  it.each(['sqlite', 'postgres'] as const)('refuses a %s database with a table', async (engine) => {
    const judged = await Judged.on(engine);
    try {
      await judged.dataSource.query('CREATE TABLE carts (id integer)');
      await expect(judged.judge(migrationOf('DROP TABLE carts'))).rejects.toThrow('The database has tables.');
      expect(await judged.dataSource.query('SELECT * FROM carts')).toEqual([]);
    } finally {
      await judged.drop();
    }
  });
});
