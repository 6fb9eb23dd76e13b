import { ServiceUnavailableError } from '../../errors/http-errors';
import { WriteBuffer, type WriteTarget } from './write-buffer';

interface Count {
  readonly key: string;
  readonly count: number;
}

const row = (key: string, count = 1): Count => ({ key, count });

/** A table that can be away, or refuse a key, with a buffer before it. */
function bufferBefore(target: Partial<WriteTarget<Count>> = {}) {
  const table = {
    isMigrated: true,
    isAway: false,
    refused: undefined as string | undefined,
    rows: [] as Count[],
    batches: [] as number[],
    dropped: 0,
    warnings: [] as string[],
    /** Delays writes until it resolves. */
    gate: Promise.resolve(),
  };
  const buffer = new WriteBuffer<Count>(
    { isCurrent: () => Promise.resolve(table.isMigrated) },
    { warn: (_facts: object, sentence?: string) => table.warnings.push(sentence ?? '') },
    {
      limit: 5,
      batch: 2,
      keyOf: ({ key }) => key,
      async write(rows) {
        await table.gate;
        if (table.isAway) throw new ServiceUnavailableError();
        if (rows.some(({ key }) => key === table.refused)) throw new Error('refused');
        table.batches.push(rows.length);
        table.rows.push(...rows);
      },
      onDropped: () => (table.dropped += 1),
      warning: 'It cannot be written.',
      ...target,
    },
  );
  return { table, buffer };
}

const keysOf = (rows: readonly Count[]) => rows.map(({ key }) => key);

describe('A write buffer', () => {
  it('writes all rows in batches', async () => {
    const { table, buffer } = bufferBefore();
    for (const key of ['a', 'b', 'c', 'd', 'e']) buffer.add(row(key));
    await buffer.flush();
    expect([keysOf(table.rows), table.batches, buffer.size]).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      [2, 2, 1],
      0,
    ]);
  });

  it('combines rows with the same key into the newer one or their sum', async () => {
    const newest = bufferBefore();
    const sums = bufferBefore({ merge: (older, newer) => row(newer.key, older.count + newer.count) });
    for (const { buffer } of [newest, sums]) {
      for (const count of [1, 20, 300]) buffer.add(row('a', count));
      await buffer.flush();
    }
    expect([newest.table.rows, sums.table.rows]).toEqual([[row('a', 300)], [row('a', 321)]]);
  });

  it('keeps rows while the database is away, up to a limit, and warns once per outage', async () => {
    const { table, buffer } = bufferBefore();
    for (const outage of [1, 2]) {
      table.isAway = true;
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
        buffer.add(row(key, outage));
        await buffer.flush();
      }
      expect([buffer.isFull, table.dropped, table.warnings.length]).toEqual([true, outage * 2, outage]);
      table.isAway = false;
      await buffer.flush();
      expect([keysOf(table.rows.splice(0)).sort(), buffer.size]).toEqual([['a', 'b', 'c', 'd', 'e'], 0]);
    }
  });

  it('keeps the rows of a failed write with those added meanwhile', async () => {
    const { table, buffer } = bufferBefore({
      merge: (older, newer) => row(newer.key, older.count + newer.count),
    });
    const gate = Promise.withResolvers<void>();
    table.gate = gate.promise;
    table.isAway = true;
    buffer.add(row('a', 1));
    const failing = buffer.flush();
    await Promise.resolve();
    buffer.add(row('a', 20));
    gate.resolve();
    await failing;
    table.isAway = false;
    await buffer.flush();
    expect(table.rows).toEqual([row('a', 21)]);
  });

  it('writes rows that are added in the moment in which another write ends', async () => {
    const { table, buffer } = bufferBefore();
    const empty = buffer.flush();
    buffer.add(row('a'));
    await Promise.all([empty, buffer.flush()]);
    expect(table.rows).toEqual([row('a')]);
  });

  it('counts rows that are being written as waiting', async () => {
    const { table, buffer } = bufferBefore();
    const gate = Promise.withResolvers<void>();
    table.gate = gate.promise;
    for (const key of ['a', 'b', 'c', 'd', 'e']) buffer.add(row(key));
    const writing = buffer.flush();
    await Promise.resolve();
    buffer.add(row('f'));
    expect([buffer.size, table.dropped]).toEqual([5, 1]);
    gate.resolve();
    await writing;
  });

  it('lets a row that the database refuses hold up no other', async () => {
    const { table, buffer } = bufferBefore();
    table.refused = 'a';
    for (const key of ['a', 'b', 'c', 'd', 'e']) buffer.add(row(key));
    for (let flush = 0; flush < 3; flush++) await buffer.flush();
    expect([keysOf(table.rows).sort(), buffer.size]).toEqual([['b', 'c', 'd', 'e'], 1]);
    table.refused = undefined;
    await buffer.flush();
    expect(table.rows.at(-1)).toEqual(row('a'));
  });

  it('drops rows that the database refuses where it is told to, and counts them', async () => {
    const { table, buffer } = bufferBefore({ dropsRefused: true });
    table.refused = 'a';
    for (const key of ['a', 'b', 'c']) buffer.add(row(key));
    await buffer.flush();
    await buffer.flush();
    expect([keysOf(table.rows), table.dropped, buffer.size]).toEqual([['c'], 2, 0]);
  });

  it('waits without a warning for a table that does not exist yet', async () => {
    const { table, buffer } = bufferBefore();
    table.isMigrated = false;
    buffer.add(row('a'));
    await buffer.flush();
    expect([table.rows, table.warnings, buffer.size]).toEqual([[], [], 1]);
    table.isMigrated = true;
    await buffer.flush();
    expect(table.rows).toEqual([row('a')]);
  });

  it('writes remaining rows when it stops, and logs when it cannot', async () => {
    const { table, buffer } = bufferBefore();
    const gate = Promise.withResolvers<void>();
    table.gate = gate.promise;
    buffer.add(row('a'));
    void buffer.flush();
    buffer.add(row('b'));
    gate.resolve();
    await buffer.stop();
    expect(keysOf(table.rows)).toEqual(['a', 'b']);
    table.isAway = true;
    buffer.add(row('c'));
    await buffer.flush();
    await buffer.stop();
    expect(table.warnings).toHaveLength(2);
  });

  it('stops within the given time', async () => {
    const { table, buffer } = bufferBefore();
    table.gate = new Promise(() => undefined);
    buffer.add(row('a'));
    await buffer.stop(10);
    expect([table.rows, buffer.size]).toEqual([[], 1]);
  });
});
