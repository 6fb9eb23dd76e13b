import { setTimeout as pause } from 'node:timers/promises';

/** Less than a test may take, on the slowest machine, too: what hangs ends before its test does, and can say why. */
export const LONGEST_WAIT_MS = 200_000;

/** Between two looks, at first and at most, in milliseconds: those who look often slow down what they wait for. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Waits until the condition holds.
 *
 * @param withinMs for how long; {@link LONGEST_WAIT_MS} unless given
 * @throws Error that shows the condition when that takes longer; or what the condition throws
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = LONGEST_WAIT_MS,
): Promise<void> {
  // Tests set other clocks.
  const deadline = process.uptime() + withinMs / 1_000;
  let pauseMs = FIRST_PAUSE_MS;
  while (!(await condition())) {
    if (process.uptime() > deadline) {
      throw new Error(`This has not come true within ${withinMs / 1_000} seconds:\n${String(condition)}`);
    }
    await pause(pauseMs);
    pauseMs = Math.min(1.25 * pauseMs, LONGEST_PAUSE_MS);
  }
}
