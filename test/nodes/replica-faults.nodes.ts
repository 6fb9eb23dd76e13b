import { openDatabase } from '../../src/platform/database/driver/open';
import { Replica } from '../../src/platform/database/replicas/replica';
import type { WalPosition } from '../../src/platform/database/replicas/wal-position';
import { runOn, startPostgresReplica } from '../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { databaseSettings } from '../support/databases/sample-database';
import { until } from '../support/until';
import { ReplicaNode } from './support/replica-node';

describe('A node with three replicas, one of them from another cluster,', () => {
  let primary: PostgresServer;
  let stranger: PostgresServer;
  let replicas: [PostgresServer, PostgresServer];
  let node: ReplicaNode;

  /** Processes of a server that serve this node. */
  async function backends(server: PostgresServer): Promise<number[]> {
    const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'petstore'`;
    return (await runOn<{ pid: number }>(server, sql)).map(({ pid }) => pid);
  }

  beforeAll(async () => {
    primary = await startPostgresServer();
    const other = await startPostgresServer();
    stranger = await startPostgresReplica(other);
    await other.stop();
    replicas = [await startPostgresReplica(primary), await startPostgresReplica(primary)];
    // On a busy machine it does not respond in time at first, either.
    process.kill(stranger.pid, 'SIGSTOP');
    node = await ReplicaNode.start(primary, [...replicas, stranger]);
    await node.add('Rex');
    await node.usesReplica();
  });
  afterAll(async () => {
    await node.stop();
    for (const server of [...replicas, stranger, primary]) await server.stop();
  });

  it('uses its own replicas in turn, and never the foreign one, and says why once that can be known', async () => {
    await until(() => /"replica":"replica-3","err"/.test(node.log()));
    process.kill(stranger.pid, 'SIGCONT');
    await until(() => node.log().split('A replica serves reads.').length === 3);
    await until(() => node.log().includes('another database cluster'));
    // A busy machine takes the primary for lists that would be late.
    await until(async () => (await node.readsDuring(() => node.list(20))).replica > 10);
    const listed = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'petstore' AND query LIKE '%FROM "pets"%LIMIT%'`;
    for (const replica of replicas) expect(await runOn(replica, listed)).not.toEqual([]);
    expect(await runOn(stranger, listed)).toEqual([]);
  });

  it('stops using a hanging replica within a second, with correct responses', async () => {
    const processes = [...(await backends(replicas[1])), replicas[1].pid];
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
      await node.add('Waldo');
      const askedAt = Date.now();
      const lists = await Promise.all(Array.from({ length: 10 }, () => node.names()));
      for (const names of lists) expect(names).toContain('Waldo');
      expect(Date.now() - askedAt).toBeLessThan(20_000);
      await until(() => /"replica":"replica-2","err"/.test(node.log()));
      await node.usesReplica();
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
  });

  it('never takes a replica for the primary unless its address allows any server', async () => {
    const [{ url }] = replicas;
    await expect(openDatabase(databaseSettings(url))).rejects.toThrow(
      /cannot be reached: the server is a standby\.$/,
    );
    const dataSource = await openDatabase(databaseSettings(`${url}?target_session_attrs=any`));
    await dataSource.destroy();
  });

  it('stops using a replica that was promoted', async () => {
    await runOn(replicas[0], 'SELECT pg_promote()');
    await runOn(replicas[0], `INSERT INTO pets (name, category_id) VALUES ('stray', 1)`);
    // It is asked at least once in a second; an idle primary gives no reason to before.
    await until(async () => {
      await node.names();
      return node.log().includes('it was promoted');
    });
    for (let time = 0; time < 20; time++) expect(await node.names()).not.toContain('stray');
    await node.usesReplica();
  });

  it('responds with 503 to lists while the primary is gone, because they could be stale', async () => {
    await primary.kill('SIGKILL');
    const response = await node.fetch('/v1/pets');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]/);
    await primary.start();
    await node.usesReplica();
    expect(await node.names()).toEqual(['Rex', 'Waldo']);
  });
});

describe('A replica that was ahead of the promoted one', () => {
  const servers: PostgresServer[] = [];
  let node: ReplicaNode | undefined;

  afterEach(async () => {
    await node?.stop();
    for (const server of servers) await server.stop();
  });

  it('serves no list while the new primary is behind it in the log', async () => {
    const former = await startPostgresServer();
    const promoted = await startPostgresReplica(former);
    const ahead = await startPostgresReplica(former);
    servers.push(ahead, promoted, former);
    node = await ReplicaNode.start(former, [promoted, ahead]);
    await node.add('Rex');
    await node.stop();
    await promoted.kill('SIGINT');
    // More of the log than all that the new primary writes below.
    const SPOILT = `INSERT INTO pets (name, category_id) SELECT repeat('lost', 1000), 1 FROM generate_series(1, 20000)`;
    await runOn(former, SPOILT);
    const isAhead = `SELECT count(*) > 20000 AS "isAhead" FROM pets`;
    await until(async () => (await runOn<{ isAhead: boolean }>(ahead, isAhead))[0]?.isAhead === true);
    await former.kill('SIGKILL');
    await promoted.start();
    await runOn(promoted, 'SELECT pg_promote()');
    node = await ReplicaNode.start(promoted, [ahead]);
    for (let time = 0; time < 20; time++) {
      await node.add(`Waldo ${time}`);
      expect((await node.names()).length).toBe(2 + time);
    }
    await until(() => (node as ReplicaNode).log().includes('A replica is behind'));
  });
});

describe('A replica while the clock stands still', () => {
  let primary: PostgresServer;
  let server: PostgresServer;
  let replica: Replica;
  let position: WalPosition;
  let clock: jest.SpyInstance<number>;

  beforeEach(async () => {
    primary = await startPostgresServer();
    server = await startPostgresReplica(primary);
    replica = new Replica('replica-1', server.url, databaseSettings(primary.url), true);
    await runOn(server, `ALTER SYSTEM SET recovery_min_apply_delay = '1h'`);
    await runOn(primary, 'CREATE TABLE marks AS SELECT 1 AS mark');
    const flushed = `SELECT (pg_current_wal_flush_lsn() - '0/0')::text AS position`;
    const [row] = await runOn<{ position: string }>(primary, flushed);
    position = { timeline: 1, offset: BigInt(row?.position as string) };
    clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await until(() => replica.reaches(position));
  });
  afterEach(async () => {
    clock.mockRestore();
    await replica.close();
    await server.stop();
    await primary.stop();
  });

  it('serves nothing when it is further behind after a restart', async () => {
    await server.kill('SIGKILL');
    await server.start();
    // By what is known it could.
    expect(await replica.reaches(position)).toBe(true);
    await expect(replica.pool.query('SELECT 1')).rejects.toThrow('further behind');
    expect(await replica.pool.query('SELECT 1')).toMatchObject({ rowCount: 1 });
  });

  it('is found promoted within a second, even without later writes', async () => {
    await runOn(server, 'SELECT pg_promote()');
    expect(await replica.reaches(position)).toBe(true);
    clock.mockReturnValue(performance.now() + 1_000);
    await expect(replica.reaches(position)).rejects.toThrow('promoted');
  });
});
