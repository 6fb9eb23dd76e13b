import {
  insertStatement,
  openSampleDatabase,
  type SampleDatabase,
  selectStatement,
} from '../../../../test/support/databases/sample-database';
import type { Database } from '../database';
import { sqliteOf } from '../driver/data-source';

describe('Writes that arrive together on SQLite', () => {
  let samples: SampleDatabase;
  let database: Database;
  let insert: (label: string) => Promise<{ id: bigint }[]>;

  beforeAll(async () => {
    samples = await openSampleDatabase('sqlite');
    database = samples.database;
    const insertion = insertStatement(database);
    insert = (label) => database.query(insertion, { label, amount: null });
  });
  afterAll(() => samples.close());

  it('are each stored once and return their own row', async () => {
    const labels = Array.from({ length: 50 }, (_, i) => `together ${i}`);
    const stored = await Promise.all(labels.map((label) => insert(label)));
    expect(new Set(stored.map(([row]) => row?.id)).size).toBe(50);
    const select = selectStatement(database);
    for (const [i, label] of labels.entries()) {
      const [found] = await database.query(select, { label });
      expect(found?.id).toBe(stored[i]?.[0]?.id);
    }
  });

  it('share one transaction', async () => {
    const before = database.version() as number;
    await Promise.all(Array.from({ length: 20 }, (_, i) => insert(`shared ${i}`)));
    expect(database.version()).toBe(before + 1);
  });

  it('fail alone when a constraint refuses one', async () => {
    await insert('taken');
    const outcomes = await Promise.allSettled([insert('good 1'), insert('taken'), insert('good 2')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await samples.labels();
    expect(stored).toEqual(expect.arrayContaining(['good 1', 'good 2']));
    expect(stored.filter((label) => label === 'taken')).toHaveLength(1);
  });

  it('all fail without being stored when one of them ends the transaction', async () => {
    const connection = sqliteOf(database.dataSource);
    connection.exec(
      `CREATE TRIGGER full_disk BEFORE INSERT ON samples WHEN NEW.label = 'full' BEGIN SELECT RAISE(ROLLBACK, 'full'); END`,
    );
    const outcomes = await Promise.allSettled([insert('early'), insert('full'), insert('late')]);
    connection.exec('DROP TRIGGER full_disk');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const stored = await samples.labels();
    for (const label of ['early', 'full', 'late']) expect(stored).not.toContain(label);
  });

  it('all fail without being stored when the commit fails', async () => {
    const connection = sqliteOf(database.dataSource);
    // Deferred constraints are checked by the COMMIT, which so fails after every statement has succeeded.
    connection.exec(
      `CREATE TABLE deferred (sample_id INTEGER REFERENCES samples (id) DEFERRABLE INITIALLY DEFERRED);
       CREATE TRIGGER dangling AFTER INSERT ON samples WHEN NEW.label = 'dangling' BEGIN INSERT INTO deferred VALUES (-1); END`,
    );
    const outcomes = await Promise.allSettled([insert('before'), insert('dangling'), insert('after')]);
    connection.exec('DROP TRIGGER dangling; DROP TABLE deferred');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const stored = await samples.labels();
    for (const label of ['before', 'dangling', 'after']) expect(stored).not.toContain(label);
    // The connection is in no transaction that was left open.
    await insert('afterwards');
    expect(await samples.labels()).toContain('afterwards');
  });

  it('wait for a transaction in progress instead of joining it', async () => {
    let outside: Promise<unknown> = Promise.resolve();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: finish, resolve: end } = Promise.withResolvers<void>();
    const transaction = database.transaction(async () => {
      await insert('inside');
      begin();
      await finish;
      throw new Error('taken back');
    });
    await begun;
    outside = Promise.all([insert('outside 1'), insert('outside 2')]);
    end();
    await expect(transaction).rejects.toThrow('taken back');
    await outside;
    const stored = await samples.labels();
    expect(stored).toEqual(expect.arrayContaining(['outside 1', 'outside 2']));
    expect(stored).not.toContain('inside');
  });
});
