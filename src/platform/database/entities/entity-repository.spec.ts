import { setImmediate as turn } from 'node:timers/promises';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { untilLockWait } from '../../../../test/support/databases/lock-waits';
import {
  newSample,
  openSampleDatabase,
  Part,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import type { Database } from '../database';
import { EntityRepository } from './entity-repository';

describeEachEngine('The repository of an entity', (engine) => {
  let samples: SampleDatabase;
  let database: Database;
  let table: EntityRepository<Sample>;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    database = samples.database;
    table = new EntityRepository(database, Sample);
  });
  afterEach(() => samples.close());

  it('gives each new row an ascending key, and finds it by that', async () => {
    const first = await table.insert(newSample('first', { count: 7 }));
    const second = await table.insert(newSample('second'));
    expect(first).toStrictEqual({ id: first.id, ...newSample('first', { count: 7 }) });
    expect(second.id > first.id).toBe(true);
    expect({ ...(await table.findOne(first.id)) }).toStrictEqual(first);
    expect({ ...(await table.findOne(second.id)) }).toStrictEqual(second);
  });

  it('returns null for a key that no row has', async () => {
    await table.insert(newSample('first'));
    for (const id of [0n, -1n, 999n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(await table.findOne(id)).toBeNull();
      expect(await table.findOneForUpdate(id)).toBeNull();
    }
  });

  it('updates one row and no other', async () => {
    const [first, second] = [await table.insert(newSample('first')), await table.insert(newSample('second'))];
    const changed = { ...first, label: 'changed', isFresh: false, at: new Date(0) };
    expect(await table.update(changed)).toStrictEqual(changed);
    expect({ ...(await table.findOne(first.id)) }).toStrictEqual(changed);
    expect({ ...(await table.findOne(second.id)) }).toStrictEqual(second);
  });

  it('works without a retired column, which the next version drops', async () => {
    const parts = new EntityRepository(database, Part);
    const bolt = await parts.insert({ line: 'bolt', line2: null });
    await samples.dataSource.query('ALTER TABLE "parts" DROP COLUMN "grade"');
    const nut = await parts.insert({ line: 'nut', line2: null });
    await parts.insertMany([{ line: 'gear', line2: null }]);
    await database.dataSource.getRepository(Part).insert({ line: 'cog' });
    await database.dataSource.getRepository(Part).update({ line: 'cog' }, { line2: 'small' });
    await parts.update({ ...nut, line2: 'M4' });
    expect((await parts.findOne(nut.id))?.line2).toBe('M4');
    expect(await parts.delete(bolt.id)).toBe(true);
    const lines = (await parts.findAfter({ after: 0n, limit: 9 })).map(({ line, line2 }) => [line, line2]);
    expect(lines).toEqual([
      ['nut', 'M4'],
      ['gear', null],
      ['cog', 'small'],
    ]);
    expect(await database.dataSource.getRepository(Part).findOneBy({ line: 'cog' })).toMatchObject({
      line2: 'small',
    });
  });

  it('updates a value to null', async () => {
    const row = await table.insert(newSample('full', { count: 1, isFresh: true, day: '2026-01-31' }));
    await table.update({ ...newSample('full'), id: row.id });
    expect({ ...(await table.findOne(row.id)) }).toStrictEqual({ ...newSample('full'), id: row.id });
  });

  it('says whether it has removed a row, and removes no other', async () => {
    const first = await table.insert(newSample('first'));
    await table.insert(newSample('second'));
    expect(await table.delete(first.id)).toBe(true);
    expect(await table.delete(first.id)).toBe(false);
    expect(await table.delete(999n)).toBe(false);
    expect(await samples.labels()).toEqual(['second']);
  });

  it('removes many rows, and says which of them it has removed', async () => {
    const rows = await table.insertMany(['one', 'two', 'three'].map((label) => newSample(label)));
    const [one, , three] = rows.map(({ id }) => id) as [bigint, bigint, bigint];
    const removed = await table.deleteMany([three, 999n, one]);
    expect(removed.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([one, three]);
    expect(await table.deleteMany([one])).toEqual([]);
    expect(await table.deleteMany([])).toEqual([]);
    expect(await samples.labels()).toEqual(['two']);
  });

  it('never reuses the key of a removed row', async () => {
    const { id } = await table.insert(newSample('first'));
    await table.delete(id);
    expect((await table.insert(newSample('second'))).id).toBe(id + 1n);
  });

  it('takes part in the transaction in progress', async () => {
    const kept = await table.insert(newSample('kept'));
    const gone = await table.insert(newSample('gone'));
    const work = async () => {
      const added = await table.insert(newSample('added'));
      await table.update({ ...kept, label: 'changed' });
      await table.delete(gone.id);
      const seen: (string | undefined)[] = [];
      for (const { id } of [added, kept, gone]) seen.push((await table.findOne(id))?.label);
      expect(seen).toEqual(['added', 'changed', undefined]);
      throw new Error('changed its mind');
    };
    await expect(database.transaction(work)).rejects.toThrow('changed its mind');
    expect(await samples.labels()).toEqual(['kept', 'gone']);
  });

  it('inserts many rows in order, each with its own values', async () => {
    const rows = Array.from({ length: 450 }, (_, n) =>
      newSample(`row ${n}`, { count: n, isFresh: n % 2 === 0 }),
    );
    const inserted = await table.insertMany(rows);
    const stored = await table.findAfter({ after: 0n, limit: 1_000 });
    expect(stored.map(({ id: _id, ...row }) => row)).toStrictEqual(rows);
    expect(inserted).toEqual(stored);
  });

  it('inserts many rows whose members differ only in a final digit', async () => {
    const parts = new EntityRepository(database, Part);
    const rows = Array.from({ length: 200 }, (_, n) => ({ line: `a${n}`, line2: `b${n}` }));
    await parts.insertMany(rows);
    const stored = await parts.findAfter({ after: 0n, limit: 1_000 });
    expect(stored.map(({ line, line2 }) => ({ line, line2 }))).toEqual(rows);
  });

  it.each([
    ['among the first', 0],
    ['in between', 250],
    ['at the end', 448],
  ])('inserts none of many rows when one %s is refused', async (_where, place) => {
    await table.insert(newSample('taken'));
    const rows = Array.from({ length: 450 }, (_, n) => newSample(n === place ? 'taken' : `row ${n}`));
    await expect(table.insertMany(rows)).rejects.toThrow(/unique/i);
    expect(await samples.labels()).toEqual(['taken']);
  });

  it('inserts rows with keys that were drawn before, and reuses none of them', async () => {
    const { id } = await table.insert(newSample('removed'));
    await table.delete(id);
    const keys = await database.transaction(async () => {
      const drawn = await table.nextKeys(250);
      const rows = drawn.map((key) => newSample(`row ${key}`));
      expect((await table.insertMany(rows, drawn)).map((row) => row.id)).toEqual(drawn);
      return drawn;
    });
    const stored = await table.findAfter({ after: 0n, limit: 1_000 });
    expect(stored.map((row) => [row.id, row.label])).toEqual(keys.map((key) => [key, `row ${key}`]));
    expect(keys[0]).toBe(id + 1n);
    expect((await table.insert(newSample('next'))).id).toBe(id + 251n);
  });

  it('accepts an empty list of rows', async () => {
    await table.insertMany([]);
    expect(await samples.labels()).toEqual([]);
  });

  it('loses no update of transactions that lock the rows they read', async () => {
    const { id } = await table.insert(newSample('counter', { count: 0 }));
    const increment = () =>
      database.transaction(async () => {
        const row = (await table.findOneForUpdate(id)) as Sample;
        await turn();
        await table.update({ ...row, count: (row.count as number) + 1 });
      });
    await Promise.all(Array.from({ length: 25 }, increment));
    expect(await table.findOne(id)).toMatchObject({ count: 25 });
  });

  it.each(['updated', 'removed'])(
    'keeps others from having a locked row %s until the transaction ends',
    async (how) => {
      const row = await table.insert(newSample('locked'));
      const order: string[] = [];
      const opened = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const transaction = database.transaction(async () => {
        await table.findOneForUpdate(row.id);
        opened.resolve();
        await finish.promise;
        order.push((await table.findOne(row.id))?.label ?? 'none');
      });
      await opened.promise;
      const outside = (how === 'updated' ? table.update({ ...row, label: 'x' }) : table.delete(row.id)).then(
        () => order.push(how),
      );
      if (engine === 'postgres') await untilLockWait(database.dataSource);
      // A statement on SQLite gets in line within a few turns.
      else for (let turns = 0; turns < 10; turns++) await turn();
      finish.resolve();
      await Promise.all([transaction, outside]);
      expect(order).toEqual(['locked', how]);
    },
  );
});

describe('A row lock on PostgreSQL', () => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase('postgres');
  });
  afterEach(() => samples.close());

  it('does not keep others from changing another row', async () => {
    const table = new EntityRepository(samples.database, Sample);
    const first = await table.insert(newSample('first'));
    const second = await table.insert(newSample('second'));
    const opened = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const transaction = samples.database.transaction(async () => {
      await table.findOneForUpdate(first.id);
      opened.resolve();
      await finish.promise;
    });
    await opened.promise;
    await table.update({ ...second, label: 'changed' });
    finish.resolve();
    await transaction;
    expect(await samples.labels()).toEqual(['first', 'changed']);
  });
});
