import { setTimeout } from 'node:timers/promises';
import { wait } from './wait';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(() => Promise.resolve()) }));

const timer = jest.mocked(setTimeout);

/** The times in milliseconds of the timers that a wait takes one after the other. */
async function timersOf(milliseconds: number): Promise<number[]> {
  timer.mockClear();
  await wait(milliseconds);
  return timer.mock.calls.map(([ms]) => ms as number);
}

describe('A wait', () => {
  it('is a timer of its time, and several where no timer holds it', async () => {
    const longest = 2 ** 31 - 1;
    expect(await timersOf(250)).toEqual([250]);
    expect(await timersOf(longest)).toEqual([longest]);
    expect(await timersOf(longest + 1)).toEqual([longest, 1]);
    expect(await timersOf(30 * 86_400_000)).toEqual([longest, 30 * 86_400_000 - longest]);
  });

  it('ends with its signal', async () => {
    const { signal } = new AbortController();
    const aborted = new DOMException('enough', 'AbortError');
    timer.mockClear();
    timer.mockRejectedValueOnce(aborted);
    await expect(wait(Infinity, signal)).rejects.toBe(aborted);
    expect(timer.mock.calls).toEqual([[2 ** 31 - 1, undefined, { signal }]]);
  });
});
