import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../support/databases/databases';
import { addToSchema } from '../../support/databases/with-schema';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { execute } from '../../cli/support/execute';

/** Counts what reaches the database: no rollback takes back what a sequence has given. */
const REACH = `SELECT nextval('public.reached')`;

function migrationThat(...statements: readonly string[]): new () => MigrationInterface {
  return class Reaches1790000000000 implements MigrationInterface {
    async up(queryRunner: QueryRunner): Promise<void> {
      for (const statement of statements) await queryRunner.query(statement);
    }

    async down(): Promise<void> {}
  };
}

describe('A pending migration', () => {
  let database: TestDatabase;
  let cli: CliInProcess;
  let takeBack: (() => void) | undefined;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    await execute(database, `INSERT INTO "pets" ("name", "category_id") VALUES ('Rex', 1)`);
    await execute(database, 'CREATE SEQUENCE "public"."reached"');
  });
  afterEach(() => takeBack?.());
  afterAll(() => database.drop());

  /** How many statements have reached the database, and what they could have changed there. */
  async function reached(): Promise<unknown[]> {
    return execute(
      database,
      `SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM reached)::int AS statements,
         (SELECT name FROM public.pets) AS name,
         (SELECT count(*)::int FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'pets') AS columns`,
    );
  }

  it.each([
    [`${REACH}; COMMIT; ALTER TABLE public.pets ADD COLUMN leaked int`],
    [`${REACH}; ALTER TABLE public.pets DROP COLUMN name`],
    [`${REACH}; UPDATE public.pets SET name = 'Max'`],
    [`LOCK TABLE public.pets; ${REACH}; SELECT pg_sleep(3)`],
    [`DO $$ BEGIN PERFORM nextval('public.reached'); END $$`],
  ])('does not reach the database by commands that look at it: %s', async (statement) => {
    const before = await reached();
    takeBack = addToSchema({ migrations: [migrationThat(REACH, statement)] });
    for (const words of [['db', 'status'], ['db', 'status', '--check'], ['db', 'check'], ['doctor']]) {
      await cli.run(...words);
      expect([words, await reached()]).toEqual([words, before]);
    }
  });

  it('reaches the database once, by being applied', async () => {
    takeBack = addToSchema({ migrations: [migrationThat(REACH)] });
    const { code, stdout, stderr } = await cli.run('db', 'migrate');
    expect([code, stdout]).toEqual([0, 'APPLIED\nReaches1790000000000\n']);
    expect(stderr).toContain('Applying Reaches1790000000000.\n');
    expect(await reached()).toMatchObject([{ statements: 1 }]);
  });
});
