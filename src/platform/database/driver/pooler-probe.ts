import { type ClientBase, Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, keepsStatements, poolOf, postgresPoolOptions } from './data-source';
import { driverCode } from './driver-errors';

/** SQLSTATE of a statement whose name another one on the same connection of the server has. */
const DUPLICATE_STATEMENT = '42P05';

/**
 * Rounds in which two clients prepare a statement of one name: between the first and the second, the connection may serve
 * others.
 */
const ROUNDS = 5;

/**
 * Tells whether a pooler before PostgreSQL gives its connections to several clients in turn and mixes up the statements that
 * they prepare: the second of two that use the same name is refused.
 *
 * @throws errors of the driver
 */
export async function sharesStatements(dataSource: DataSource, settings: DatabaseSettings): Promise<boolean> {
  if (!keepsStatements(dataSource) || !(await isPooled(dataSource))) return false;
  const pool = new Pool({ ...postgresPoolOptions(settings), connectionString: settings.databaseUrl, max: 2 });
  const clients: PoolClient[] = [];
  try {
    clients.push(await pool.connect(), await pool.connect());
    for (let round = 0; round < ROUNDS; round++) {
      const statement = { name: `petstore_probe_${round}`, text: 'SELECT 1' };
      for (const client of clients) await client.query(statement);
    }
    return false;
  } catch (error) {
    if (driverCode(error) === DUPLICATE_STATEMENT) return true;
    throw error;
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
}

async function isPooled(dataSource: DataSource): Promise<boolean> {
  const client = await poolOf(dataSource).connect();
  try {
    return await isOfPooler(client);
  } finally {
    client.release();
  }
}

/** Tells whether a pooler is between a client and PostgreSQL: it makes up the process that it tells its clients of. */
export async function isOfPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as ClientBase & { readonly processID: number }).processID;
}
