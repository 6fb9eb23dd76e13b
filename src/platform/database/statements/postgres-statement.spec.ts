import type { Duplex } from 'node:stream';
import type { Connection } from 'pg';
import { countMessages } from '../../../../test/support/databases/postgres-messages';
import {
  insertStatement,
  Joint,
  newSample,
  openSampleDatabase,
  Part,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { until } from '../../../../test/support/until';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { Database } from '../database';
import { isUniqueViolation } from '../driver/driver-errors';
import { EntityRepository } from '../entities/entity-repository';
import { poolOf } from '../driver/data-source';
import { parameter } from './statement';

/** Inserts a sample as a statement that may share round trips, though its table has a unique constraint. */
function briefInsertion(database: Database) {
  const insertion = database.prepare<{ id: bigint }>(
    (manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(Sample)
        .values({ label: parameter('label'), amount: parameter('amount') })
        .updateEntity(false),
    'RETURNING "id"',
    { isPipelined: true },
  );
  return async (label: string | null) => {
    const [row] = await database.query(insertion, { label, amount: null });
    return row?.id;
  };
}

describe('A prepared statement on PostgreSQL', () => {
  let samples: SampleDatabase;
  let database: Database;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
    database = new Database(await samples.another());
  });
  afterEach(() => samples.close());

  /** The transaction that stored each sample, by its label. */
  async function transactions(): Promise<Map<string, string>> {
    const rows = await samples.dataSource.query<{ label: string; xmin: string }[]>(
      'SELECT "label", "xmin"::text AS "xmin" FROM "samples"',
    );
    return new Map(rows.map(({ label, xmin }) => [label, xmin]));
  }

  function countCheckouts(): () => number {
    let count = 0;
    poolOf(database.dataSource).on('acquire', () => count++);
    return () => count;
  }

  it('is described once per connection, and its rows are exact each time', async () => {
    const own = new Database(await samples.another({ databasePoolSize: 1 }));
    const descriptions = countMessages(poolOf(own.dataSource), 'rowDescription');
    const table = new EntityRepository(own, Sample);
    const sample = newSample('one', { amount: 2n ** 60n, at: new Date(0), day: '2026-01-31', isFresh: true });
    const { id } = await table.insert(sample);
    expect(await table.findOne(id + 1n)).toBeNull();
    for (let time = 0; time < 3; time++) expect(await table.findOne(id)).toEqual({ id, ...sample });
    expect(descriptions()).toBe(2);
  });

  it('reads one large result at a time, which bounds its memory', async () => {
    const [rows, length, results] = [80, 100_000, 8];
    await samples.dataSource.query(
      `INSERT INTO "samples" ("label") SELECT n::text FROM generate_series(1, ${rows}) AS n`,
    );
    const find = database.prepare((manager) =>
      manager.createQueryBuilder(Sample, 'sample').select(`repeat('a', ${length})`, 'text'),
    );
    const streams = new Map<Duplex, number>();
    poolOf(database.dataSource).on('acquire', (client) => {
      const { stream } = (client as unknown as { connection: Connection }).connection;
      if (!streams.has(stream)) stream.on('data', ({ length: more }: Buffer) => count(stream, more));
      streams.set(stream, 0);
    });
    let most = 0;
    function count(stream: Duplex, more: number): void {
      streams.set(stream, (streams.get(stream) ?? 0) + more);
      const unserved = [...streams.values()].filter((read) => read < rows * length);
      most = Math.max(
        most,
        unserved.reduce((sum, read) => sum + read, 0),
      );
    }
    const found = await Promise.all(Array.from({ length: results }, () => database.query(find, {})));
    expect(found.map((each) => each.length)).toEqual(Array(results).fill(rows));
    expect(most).toBeLessThan(rows * length + (results - 1) * 1_300_000);
  });

  it('works in a transaction after a failed part that first used it', async () => {
    const insertion = insertStatement(database);
    const insert = (label: string) => database.query(insertion, { label, amount: null });
    await samples.insert('taken');
    await database.transaction(async () => {
      await expect(database.attempt(() => insert('taken'))).rejects.toMatchObject({
        driverError: { code: '23505' },
      });
      await insert('stored');
    });
    expect(await samples.labels()).toEqual(['taken', 'stored']);
  });

  describe('that is pipelined', () => {
    it('shares round trips with others of the same turn, and returns its own row', async () => {
      const table = new EntityRepository(database, Sample);
      const labels = Array.from({ length: 20 }, (_, index) => `sample ${index}`);
      const stored = await table.insertMany(labels.map((label) => newSample(label)));
      const checkouts = countCheckouts();
      const found = await Promise.all(stored.map(({ id }) => table.findOne(id)));
      expect(found.map((sample) => sample?.label)).toEqual(labels);
      expect(checkouts()).toBe(3);
    });

    it('returns nothing for one of a group without shifting the rows of the others', async () => {
      const table = new EntityRepository(database, Sample);
      const { id } = await table.insert(newSample('there'));
      const found = await Promise.all([id + 1n, id, id + 2n].map((each) => table.findOne(each)));
      expect(found.map((sample) => sample?.label)).toEqual([undefined, 'there', undefined]);
    });

    it('shares a transaction with other writes of the same turn, and returns its own row', async () => {
      const insert = briefInsertion(database);
      const labels = Array.from({ length: 5 }, (_, index) => `sample ${index}`);
      const ids = await Promise.all(labels.map((label) => insert(label)));
      expect(new Set((await transactions()).values()).size).toBe(1);
      const rows = await database.dataSource.getRepository(Sample).find({ order: { id: 'ASC' } });
      expect(rows.map(({ id, label }) => [id, label])).toEqual(ids.map((id, index) => [id, labels[index]]));
    });

    it('fails alone when it is refused, and the others of its group are stored once', async () => {
      const insert = briefInsertion(database);
      await insert('taken');
      const outcomes = await Promise.allSettled(
        ['before', 'taken', null, 'after'].map((label) => insert(label)),
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(
        outcomes.map((outcome) => isUniqueViolation((outcome as PromiseRejectedResult).reason ?? {})),
      ).toEqual([false, true, false, false]);
      expect((await samples.labels()).sort()).toEqual(['after', 'before', 'taken']);
    });

    it('is 503 alone when its shard is away, and the others of its group are stored once', async () => {
      const insert = briefInsertion(database);
      await samples.dataSource.query(`
        CREATE FUNCTION refuse_far() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = NEW."label"; END $$;
        CREATE TRIGGER refuse_far BEFORE INSERT ON "samples" FOR EACH ROW WHEN (NEW."label" ~ '^[0-9]')
        EXECUTE FUNCTION refuse_far()`);
      // Reports of Citus about a worker that is absent, and about one that has just ended.
      const outcomes = await Promise.allSettled(
        ['before', '08006', '57P01', 'after'].map((label) => insert(label)),
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      for (const { reason } of outcomes.slice(1, 3) as PromiseRejectedResult[]) {
        expect(reason).toBeInstanceOf(ServiceUnavailableError);
      }
      expect((await samples.labels()).sort()).toEqual(['after', 'before']);
    });

    it('is 503 with its whole group when a lock holds that up for longer than a statement may take', async () => {
      const impatient = new Database(await samples.another({ databaseStatementTimeoutMs: 1_000 }));
      const insert = briefInsertion(impatient);
      const blocker = (await samples.another()).createQueryRunner();
      await blocker.startTransaction();
      await blocker.query('LOCK TABLE "samples"');
      const outcomes = await Promise.allSettled(['one', 'two', 'three'].map((label) => insert(label)));
      await blocker.rollbackTransaction();
      await blocker.release();
      for (const outcome of outcomes) {
        expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ServiceUnavailableError);
      }
      // On a slow machine it takes too long once more.
      await until(() =>
        insert('afterwards').then(
          () => true,
          () => false,
        ),
      );
      expect(await samples.labels()).toEqual(['afterwards']);
    });

    it('is 503 with its whole group when the connection breaks, and nothing is stored', async () => {
      const insert = briefInsertion(database);
      const blocker = (await samples.another()).createQueryRunner();
      await blocker.startTransaction();
      await blocker.query('LOCK TABLE "samples"');
      const outcomes = Promise.allSettled(['one', 'two', 'three'].map((label) => insert(label)));
      await until(async () => {
        const cut = await blocker.manager.query<unknown[]>(
          `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE NOT granted AND relation = 'samples'::regclass`,
        );
        return cut.length > 0;
      });
      for (const outcome of await outcomes) {
        expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ServiceUnavailableError);
      }
      await blocker.rollbackTransaction();
      await blocker.release();
      await insert('afterwards');
      expect(await samples.labels()).toEqual(['afterwards']);
    });

    it('cannot be a statement that may wait for a row of another transaction', async () => {
      const parts = new EntityRepository(database, Part);
      const joints = new EntityRepository(database, Joint);
      const first = await parts.insert({ line: 'first', line2: null });
      const second = await parts.insert({ line: 'second', line2: null });
      const blocker = (await samples.another()).createQueryRunner();
      await blocker.startTransaction();
      await blocker.query('SELECT "id" FROM "parts" WHERE "id" = $1 FOR UPDATE', [first.id]);
      const joint = (firstId: bigint) => ({ firstId, secondId: null, tagId: null });
      const held = joints.insert(joint(first.id));
      await joints.insert(joint(second.id));
      await blocker.rollbackTransaction();
      await blocker.release();
      await held;
      expect(await database.dataSource.getRepository(Joint).count()).toBe(2);
    });
  });
});
