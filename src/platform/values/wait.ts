import { setTimeout } from 'node:timers/promises';

/** Longest time that a timer holds, in milliseconds: 24.8 days. A longer one ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits, for any time.
 *
 * @param signal ends the wait
 * @throws AbortError when the signal ends the wait
 */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const options = signal ? { signal } : undefined;
  let rest = milliseconds;
  for (; rest > LONGEST_TIMER_MS; rest -= LONGEST_TIMER_MS)
    await setTimeout(LONGEST_TIMER_MS, undefined, options);
  await setTimeout(rest, undefined, options);
}
