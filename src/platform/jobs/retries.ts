/** Attempts at a piece of work, about 40 minutes with the pauses between them; then an operator decides. */
export const MAX_ATTEMPTS = 15;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10 * 60_000;

/**
 * Returns the milliseconds until the next attempt: twice as long each time, and partly random, so that many do not come at
 * once.
 */
export function pauseAfter(attempts: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return pause * (0.75 + Math.random() / 4);
}
