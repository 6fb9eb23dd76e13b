import { escapeIdentifier, escapeLiteral } from 'pg';
import { runSql } from '../../contract/support/sql';
import { createTestDatabase, type TestDatabase } from './databases';

/**
 * Makes a PostgreSQL database behave as those do that are spread over machines, such as CockroachDB: transactions are serializable,
 * keys do not ascend, and no role may take an advisory lock. Keys are within what a double holds, as most tests read them.
 *
 * What happens in an order keeps ascending keys: migrations, the audit log and stored events are read by it.
 */
const SHAPE = `
  DO $$
  DECLARE lock regprocedure;
  BEGIN
    FOR lock IN SELECT oid FROM pg_proc WHERE proname LIKE '%advisory%' LOOP
      EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || lock || ' FROM PUBLIC';
    END LOOP;
  END $$;

  CREATE FUNCTION scatter_keys() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE key record;
  BEGIN
    FOR key IN
      SELECT objid::regclass AS name, attname
      FROM pg_event_trigger_ddl_commands()
      JOIN pg_attrdef ON adrelid = objid
      JOIN pg_attribute ON attrelid = objid AND attnum = adnum
      WHERE object_type = 'table' AND pg_get_expr(adbin, adrelid) LIKE 'nextval%'
        AND objid::regclass::text NOT IN ('migrations', 'audit_events', 'stored_events')
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT random(1, 9007199254740991)', key.name, key.attname);
    END LOOP;
  END $$;

  CREATE EVENT TRIGGER scatter_keys ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION scatter_keys();`;

/** Makes an empty database of that shape, owned by a role of its own, for from a superuser nothing can be taken away. */
export async function createDistributedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('postgres');
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const [role, password] = [escapeIdentifier(name), escapeLiteral(url.password)];
  await runSql(
    database,
    `CREATE ROLE ${role} LOGIN PASSWORD ${password};
     ALTER DATABASE ${role} OWNER TO ${role};
     ALTER DATABASE ${role} SET default_transaction_isolation = 'serializable';
     ${SHAPE}`,
  );
  url.username = name;
  return { ...database, url: url.href };
}
