import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Connection } from 'pg';
import {
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { Database } from '../database';
import { poolOf } from './data-source';

/** Unlike `once` of node:events it does not listen to errors, which is what the tests are about. */
function event(emitter: EventEmitter, name: string): Promise<void> {
  return new Promise((resolve) => emitter.once(name, () => resolve()));
}

describe('A connection to PostgreSQL', () => {
  let samples: SampleDatabase;

  /** A database with one connection, and the socket of that. */
  async function openOne(): Promise<{ database: Database; socket: Socket }> {
    const database = new Database(await samples.another({ databasePoolSize: 1 }));
    const client = await poolOf(database.dataSource).connect();
    const { stream } = (client as unknown as { connection: Connection }).connection;
    client.release();
    return { database, socket: stream as Socket };
  }

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
  });
  afterEach(() => samples.close());

  it('does not crash the process when the server ends it while no listener is attached', async () => {
    const client = await poolOf(samples.dataSource).connect();
    const ended = event(client, 'end');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await samples.dataSource.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    client.release();
    await samples.insert('afterwards');
    expect(await samples.labels()).toEqual(['afterwards']);
  });

  it('may be silent for a second longer than a statement may take', async () => {
    const { socket } = await openOne();
    expect(socket.timeout).toBe(61_000);
  });

  it('is ended with 503 and replaced when the server is silent for longer than a statement may take', async () => {
    const { database, socket } = await openOne();
    const query = (sql: string) => database.dataSource.query(sql);
    const fault = database.transaction(() => query('SELECT pg_sleep(600)')).catch((error: unknown) => error);
    await until(async () => {
      const sleeping = await samples.dataSource.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      );
      return sleeping.length > 0;
    });
    socket.setTimeout(1);
    expect(await fault).toMatchObject({
      constructor: ServiceUnavailableError,
      message: 'The service cannot reach its database; retry shortly.',
      cause: { message: expect.stringContaining('does not respond on an open connection') as string },
    });
    await expect(query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('is replaced on its next use when it was idle for as long', async () => {
    const { database, socket } = await openOne();
    const removed = event(poolOf(database.dataSource), 'remove');
    socket.setTimeout(1);
    await removed;
    await expect(database.dataSource.getRepository(Sample).find()).resolves.toEqual([]);
  });

  it('is not ended when it is used in the turn in which its idle time runs out', async () => {
    const { database, socket } = await openOne();
    socket.emit('timeout');
    await expect(database.dataSource.getRepository(Sample).find()).resolves.toEqual([]);
    expect(socket.destroyed).toBe(false);
  });
});
