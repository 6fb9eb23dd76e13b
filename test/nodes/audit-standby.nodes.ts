import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { SettledEvents } from '../../src/platform/audit/settled-events';
import { Database } from '../../src/platform/database/database';
import { openDatabase } from '../../src/platform/database/driver/open';
import { CliProcess } from '../cli/support/cli-process';
import { connectTo, runOn, startPostgresReplica } from '../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { databaseSettings } from '../support/databases/sample-database';
import { makeFolder } from '../support/folders';
import { until } from '../support/until';

const INSERTION = `INSERT INTO audit_events (at, actor, action, subject_type, subject_id) VALUES (now(), 'cli:jo', 'things.touch', 'things', '1')`;
const WRITERS = 3;
/** Events that are read before the failover, and as many are recorded after it. */
const EVENTS = 100;

describe('The audit log on a primary with a synchronous standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  const at = ({ url }: PostgresServer) => new CliProcess({ DATABASE_URL: url });

  beforeAll(async () => {
    primary = await startPostgresServer();
    await at(primary).run('db', 'migrate');
    // The standby copies it, and must not have less.
    await runOn(primary, 'ALTER SYSTEM SET max_prepared_transactions = 1');
    await primary.kill('SIGINT');
    await primary.start();
    standby = await startPostgresReplica(primary);
    await runOn(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await runOn(primary, 'SELECT pg_reload_conf()');
    await until(async () => {
      const synchronous = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
      return (await runOn(primary, synchronous)).length === 1;
    });
  });
  afterAll(async () => {
    await standby.stop();
    await primary.stop();
  });

  /** Records events, one a transaction, until a number is recorded or the server is gone. */
  async function write(server: PostgresServer, count: number): Promise<void> {
    const client = await connectTo(server);
    client.on('error', () => undefined);
    try {
      for (let event = 0; event < count; event++) await client.query(`BEGIN; ${INSERTION}; COMMIT`);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  it('waits for a prepared transaction that adds an event', async () => {
    const dataSource = await openDatabase(databaseSettings(primary.url));
    const client: Client = await connectTo(primary);
    try {
      const settled = new SettledEvents(new Database(dataSource));
      await client.query(`BEGIN; ${INSERTION}; PREPARE TRANSACTION 'other'`);
      const { rows } = await client.query<{ id: string }>(`${INSERTION} RETURNING id`);
      expect(await settled.newestId()).toBeUndefined();
      await client.query(`COMMIT PREPARED 'other'`);
      expect(await settled.newestId()).toBe(BigInt(rows[0]?.id ?? 0));
    } finally {
      await client.end();
      await dataSource.destroy();
    }
  });

  it('is not followed on the standby, which does not know what is still to come', async () => {
    const cli = new CliProcess({ DATABASE_URL: `${standby.url}?target_session_attrs=any` });
    const result = await cli.run('audit', 'follow', '--once');
    expect([result.code, result.stdout]).toEqual([4, '']);
    expect(result.stderr).toContain('The database is a standby');
  });

  it('is followed without a gap when the standby takes the place of the primary', async () => {
    const file = join(makeFolder(), 'audit.ndjson');
    writeFileSync(file, '');
    const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const writing = Promise.allSettled(
      Array.from({ length: WRITERS }, () => write(primary, Number.MAX_SAFE_INTEGER)),
    );
    const reader = at(primary).start('audit', 'follow', '--append', file);
    const ended = once(reader, 'exit');
    await until(() => lines().length >= EVENTS);
    await primary.kill('SIGQUIT');
    await writing;
    expect(await ended).toEqual([5, null]);

    await runOn(standby, 'SELECT pg_promote()');
    await Promise.all(Array.from({ length: WRITERS }, () => write(standby, EVENTS)));
    expect(await at(standby).run('audit', 'follow', '--once', '--append', file)).toMatchObject({ code: 0 });
    const read = lines().map((line) => String((JSON.parse(line) as { id: number }).id));
    const recorded = await runOn<{ id: string }>(standby, 'SELECT id FROM audit_events ORDER BY id');
    expect(read).toEqual(recorded.map(({ id }) => id));
  });
});
