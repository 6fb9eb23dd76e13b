import { Mutex } from './mutex';

/** Notes when a visitor comes and, a turn of the event loop later, goes. */
async function stay(name: string, events: string[]): Promise<void> {
  events.push(`${name} in`);
  await new Promise(setImmediate);
  events.push(`${name} out`);
}

describe('Mutex', () => {
  it('runs one work at a time, in the order of the calls', async () => {
    const mutex = new Mutex();
    const events: string[] = [];
    const enter = (name: string) => mutex.runExclusive(() => stay(name, events));

    await Promise.all([enter('first'), enter('second'), enter('third')]);

    expect(events).toEqual(['first in', 'first out', 'second in', 'second out', 'third in', 'third out']);
  });

  it('returns what the work returns', async () => {
    await expect(new Mutex().runExclusive(async () => 'result')).resolves.toBe('result');
  });

  it('throws what the work throws, and runs the next', async () => {
    const mutex = new Mutex();
    const failing = mutex.runExclusive(() => Promise.reject(new Error('failed')));
    const next = mutex.runExclusive(async () => 'next');

    await expect(failing).rejects.toThrow('failed');
    await expect(next).resolves.toBe('next');
  });

  it('runs works that share it together, between works that hold it alone, each in its turn', async () => {
    const mutex = new Mutex();
    const events: string[] = [];
    const enter = (name: string) => mutex.runExclusive(() => stay(name, events));
    const share = async (name: string) => {
      await mutex.share();
      await stay(name, events);
      mutex.leave();
    };

    const first = [share('one'), share('two'), enter('A'), share('three'), share('four'), enter('B')];
    expect(mutex.isHeld).toBe(true);
    await Promise.all([...first, share('five'), enter('C')]);

    expect(events).toEqual([
      ...['one in', 'two in', 'one out', 'two out', 'A in', 'A out'],
      ...['three in', 'four in', 'three out', 'four out', 'B in', 'B out'],
      ...['five in', 'five out', 'C in', 'C out'],
    ]);
    expect([mutex.isHeld, mutex.share(), mutex.isHeld]).toEqual([false, undefined, false]);
  });

  it('is held from the first call until the last waiting work has ended', async () => {
    const mutex = new Mutex();
    expect(mutex.isHeld).toBe(false);
    const held: boolean[] = [];
    const record = async () => void held.push(mutex.isHeld);
    const both = Promise.all([mutex.runExclusive(record), mutex.runExclusive(record)]);

    expect(mutex.isHeld).toBe(true);
    await both;
    expect(held).toEqual([true, true]);
    expect(mutex.isHeld).toBe(false);
  });
});
