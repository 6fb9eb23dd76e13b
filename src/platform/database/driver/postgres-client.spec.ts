import type { EventEmitter } from 'node:events';
import {
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { Database } from '../database';
import { poolOf } from './data-source';

/** Unlike `once` of node:events it does not listen to errors, which is what the tests are about. */
function event(emitter: EventEmitter, name: string): Promise<void> {
  return new Promise((resolve) => emitter.once(name, () => resolve()));
}

describe('A connection to PostgreSQL', () => {
  let samples: SampleDatabase;

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

  it('is ended with 503 and replaced when the server is silent for longer than a statement may take', async () => {
    const database = new Database(
      await samples.another({ databasePoolSize: 1, databaseStatementTimeoutMs: 400 }),
    );
    const query = (sql: string) => database.dataSource.query(sql);
    const work = database.transaction(async () => {
      // As a server that hangs does, it does not keep its own limit.
      await query('SET LOCAL statement_timeout = 0');
      await query('SELECT pg_sleep(60)');
    });
    await expect(work).rejects.toMatchObject({
      constructor: ServiceUnavailableError,
      message: 'The service cannot reach its database at the moment; try again shortly.',
      cause: { message: expect.stringContaining('does not respond on an open connection') },
    });
    await expect(query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('is replaced on its next use when it was idle for as long', async () => {
    const database = new Database(
      await samples.another({ databasePoolSize: 1, databaseStatementTimeoutMs: 400 }),
    );
    const query = () => database.dataSource.getRepository(Sample).find();
    await query();
    await event(poolOf(database.dataSource), 'remove');
    await expect(query()).resolves.toEqual([]);
  });

  it('is not ended when it is used in the turn in which its idle time runs out', async () => {
    const database = new Database(
      await samples.another({ databasePoolSize: 1, databaseStatementTimeoutMs: 400 }),
    );
    const query = () => database.dataSource.getRepository(Sample).find();
    await query();
    const asked = new Promise((resolve) => {
      setTimeout(() => resolve(query()), 1_450);
    });
    // Both timers, that of the silence and this one, are due when the process goes on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600);
    await expect(asked).resolves.toEqual([]);
  });
});
