import type { DataSource } from 'typeorm';

/**
 * Makes the next statements of a kind fail on PostgreSQL as those do that lose against other transactions.
 *
 * @param statements what fails: `INSERT ON samples`
 * @param count how many of them; those that follow succeed
 * @param code 40001, a serialization failure, or 40P01, a deadlock
 */
export async function conflictFirst(
  dataSource: DataSource,
  statements: string,
  count: number,
  code: string,
): Promise<void> {
  // A sequence does not go back when a transaction does.
  await dataSource.query(`
    DROP SEQUENCE IF EXISTS conflicts CASCADE;
    CREATE SEQUENCE conflicts;
    CREATE OR REPLACE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('conflicts') <= ${count} THEN RAISE EXCEPTION 'a conflict' USING ERRCODE = '${code}'; END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER conflict BEFORE ${statements} FOR EACH ROW EXECUTE FUNCTION conflict();
  `);
}
