import { connectTo, runOn, startPostgresReplica } from '../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { until } from '../support/until';
import { ReplicaNode } from './support/replica-node';

const ON_PRIMARY = { replica: 0, primary: 1 };

describe('With two nodes and a streaming replica,', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let nodes: [ReplicaNode, ReplicaNode];
  let added = 0;

  /** Adds a pet on a node, and gives its name. */
  async function addOn(node: ReplicaNode): Promise<string> {
    const name = `pet ${++added}`;
    await node.add(name);
    return name;
  }

  beforeAll(async () => {
    primary = await startPostgresServer();
    replica = await startPostgresReplica(primary);
    await runOn(replica, 'ALTER SYSTEM SET max_standby_streaming_delay = 0');
    await runOn(replica, 'SELECT pg_reload_conf()');
    nodes = [await ReplicaNode.start(primary, [replica]), await ReplicaNode.start(primary, [replica])];
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await replica.stop();
    await primary.stop();
  });
  beforeEach(() => Promise.all(nodes.map((node) => node.usesReplica())));

  it('lists are read from the replica, and everything else from the primary', async () => {
    await addOn(nodes[0]);
    const asked = () =>
      runOn<{ query: string }>(
        replica,
        `SELECT DISTINCT query FROM pg_stat_activity WHERE application_name = 'petstore' AND query LIKE '%FROM "pets"%'`,
      );
    // On a busy machine the primary reads what would be late.
    await until(async () => {
      const reads = await nodes[0].readsDuring(async () => {
        await nodes[0].list(20);
        expect((await nodes[0].fetch('/v1/pets/1')).status).toBe(200);
      });
      return reads.replica > reads.primary;
    });
    expect(await asked()).toEqual([
      expect.objectContaining({ query: expect.stringContaining('LIMIT') as unknown }),
    ]);
  });

  it('a list sees everything written before it, on either node and with any timing', async () => {
    const reads = await nodes[1].readsDuring(async () => {
      for (let time = 0; time < 100; time++) {
        const name = await addOn(nodes[time % 2] as ReplicaNode);
        expect((await nodes[1].names()).at(-1)).toBe(name);
        if (added % 90 === 0) await runOn(primary, 'DELETE FROM pets');
      }
    });
    // It has been waited for, and not given up at once.
    expect(reads.replica).toBeGreaterThan(reads.primary);
  });

  it('a list sees everything written before it while the replica lags, and uses it again later', async () => {
    try {
      // Where it stands it has all there is, unless the primary has written something for itself meanwhile.
      await until(async () => {
        await runOn(replica, 'SELECT pg_wal_replay_resume()');
        await nodes[0].usesReplica();
        await runOn(replica, 'SELECT pg_wal_replay_pause()');
        return (await nodes[0].readsDuring(() => nodes[0].names())).replica === 1;
      });
      const name = await addOn(nodes[0]);
      for (const node of nodes) {
        expect(await node.readsDuring(async () => expect(await node.names()).toContain(name))).toEqual(
          ON_PRIMARY,
        );
      }
      await until(async () => {
        for (const node of nodes) expect(await node.names()).toContain(name);
        return nodes.every((node) => node.log().includes('A replica is behind'));
      });
    } finally {
      await runOn(replica, 'SELECT pg_wal_replay_resume()');
    }
    for (const node of nodes) await node.usesReplica();
  });

  it('pages from primary and replica fit together', async () => {
    await runOn(primary, 'DELETE FROM pets');
    const names: string[] = [];
    for (let pet = 0; pet < 12; pet++) names.push(await addOn(nodes[pet % 2] as ReplicaNode));
    await nodes[0].usesReplica();
    const first = await nodes[0].fetch('/v1/pets?limit=5');
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string;
    await runOn(replica, 'SELECT pg_wal_replay_pause()');
    try {
      names.push(await addOn(nodes[0]));
      const reads = await nodes[0].readsDuring(async () => {
        const { pathname, search } = new URL(next);
        const rest = await nodes[0].fetch(`${pathname}${search.replace('limit=5', 'limit=100')}`);
        const pets = [...((await first.json()) as object[]), ...((await rest.json()) as object[])];
        expect(pets.map((pet) => (pet as { name: string }).name)).toEqual(names);
      });
      expect(reads).toEqual(ON_PRIMARY);
    } finally {
      await runOn(replica, 'SELECT pg_wal_replay_resume()');
    }
  });

  it('a read that the replica cancels is repeated on the primary', async () => {
    // On the replica a list waits for a lock that the test holds, and meanwhile the primary locks what it reads.
    await runOn(
      primary,
      `ALTER TABLE pets RENAME TO all_pets;
       CREATE VIEW pets AS SELECT * FROM all_pets
       WHERE NOT pg_is_in_recovery() OR (SELECT pg_advisory_xact_lock_shared(1)) IS NOT NULL`,
    );
    const [holder, locker] = [await connectTo(replica), await connectTo(primary)];
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory'`;
    const isWaiting = async () => (await holder.query(waiting)).rowCount === 1;
    try {
      await nodes[0].usesReplica();
      const conflicts = () =>
        runOn<{ n: string }>(replica, 'SELECT sum(confl_lock) AS n FROM pg_stat_database_conflicts');
      const [before] = await conflicts();
      await holder.query('SELECT pg_advisory_lock(1)');
      let list: Promise<Response> | undefined;
      await until(async () => {
        // On a busy machine the primary reads what would be late.
        list ??= nodes[0].fetch('/v1/pets?limit=1').finally(() => (list = undefined));
        return isWaiting();
      });
      const reads = await nodes[0].readsDuring(async () => {
        const read = list;
        await locker.query('BEGIN; LOCK TABLE all_pets IN ACCESS EXCLUSIVE MODE; COMMIT');
        expect((await read)?.status).toBe(200);
      });
      expect(reads).toEqual(ON_PRIMARY);
      const [after] = await conflicts();
      expect(Number(after?.n)).toBe(Number(before?.n) + 1);
      // The replica is well.
      expect(nodes[0].log()).not.toContain('A replica failed');
    } finally {
      for (const client of [holder, locker]) await client.end();
      await runOn(primary, 'DROP VIEW pets; ALTER TABLE all_pets RENAME TO pets');
    }
  });

  it('no request fails when the replica is killed, and it is used again once it is back', async () => {
    await addOn(nodes[0]);
    const responses = { good: 0, bad: 0 };
    const stop = new AbortController();
    const reader = async () => {
      while (!stop.signal.aborted) {
        const response = await nodes[0].fetch('/v1/pets?limit=20');
        await response.arrayBuffer();
        responses[response.status === 200 ? 'good' : 'bad']++;
      }
    };
    const readers = Array.from({ length: 8 }, reader);
    await until(() => responses.good > 100);
    await replica.kill('SIGKILL');
    const before = responses.good;
    await until(() => responses.good > before + 100);
    expect(nodes[0].log()).toContain('A replica failed');
    const name = await addOn(nodes[1]);
    expect(await nodes[0].names()).toContain(name);
    await replica.start();
    await nodes[0].usesReplica();
    stop.abort();
    await Promise.all(readers);
    expect(responses.bad).toBe(0);
    expect(await nodes[0].names()).toContain(name);
  });
});
