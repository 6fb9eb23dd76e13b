import { type ClientBase, Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, poolOf, postgresPoolOptions } from './data-source';
import { driverCode } from './driver-errors';

/** SQLSTATEs of a statement whose name another one on the same connection of the server has, and of one that was prepared elsewhere. */
const MIXED_UP = ['42P05', '26000'];

/**
 * Rounds in which a client runs a statement twice, and another client one of the same name: in between, the connection may
 * serve others.
 */
const ROUNDS = 5;

/**
 * Tells whether the pooler before PostgreSQL gives its connections to several clients in turn and mixes up the statements that
 * they prepare: a client does not find its own, or the second of two that use the same name is refused.
 *
 * @throws errors of the driver
 */
export async function sharesStatements(settings: DatabaseSettings): Promise<boolean> {
  const pool = new Pool({ ...postgresPoolOptions(settings), connectionString: settings.databaseUrl, max: 2 });
  const clients: PoolClient[] = [];
  try {
    clients.push(await pool.connect(), await pool.connect());
    const [one, other] = clients as [PoolClient, PoolClient];
    for (let round = 0; round < ROUNDS; round++) {
      const statement = { name: `petstore_probe_${round}`, text: 'SELECT 1' };
      for (const client of [one, one, other]) await client.query(statement);
    }
    return false;
  } catch (error) {
    if (MIXED_UP.includes(driverCode(error) ?? '')) return true;
    throw error;
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
}

/** Tells whether a pooler is between a data source and PostgreSQL. */
export async function isPooled(dataSource: DataSource): Promise<boolean> {
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
