/** Something that runs SQL: a query runner or a repository of TypeORM. */
interface Queryable {
  query(sql: string): Promise<unknown>;
}

const IS_THERE = `
  SELECT COALESCE(
    has_function_privilege(to_regprocedure('pg_try_advisory_xact_lock(bigint)')::oid, 'EXECUTE'), false) AS "isThere"`;

/**
 * Tells whether a PostgreSQL server lets this role take advisory locks. Servers that speak its protocol may have none. The
 * statement does not fail on those, because a failure would end the transaction in progress.
 */
export async function hasAdvisoryLocks(connection: Queryable): Promise<boolean> {
  const [row] = (await connection.query(IS_THERE)) as { isThere: boolean }[];
  return row?.isThere === true;
}
