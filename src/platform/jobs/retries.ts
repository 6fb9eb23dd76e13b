/** Hours for which a handler or a job that fails is called again unless it says otherwise; then an operator decides. */
const USUAL_HOURS = 24;
/** A year. */
const MOST_HOURS = 8_760;

/** Attempts at work that may have ended its process each time. */
const MAX_ENDED_ATTEMPTS = 15;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10 * 60_000;

/**
 * Returns the milliseconds until the next attempt: twice as long each time, and partly random, so that many do not come at
 * once.
 */
export function pauseAfter(attempts: number): number {
  return shortestPause(attempts) * (1 + Math.random() / 4);
}

/**
 * Returns the number of attempts whose pauses last for some hours: 1 for none.
 *
 * @throws Error unless the hours are from 0 to a year
 */
export function attemptsWithin(hours = USUAL_HOURS): number {
  if (!(hours >= 0 && hours <= MOST_HOURS)) {
    throw new Error(`retryHours must be a number from 0 to ${MOST_HOURS}, not ${hours}.`);
  }
  let attempts = 1;
  for (let waited = 0; waited < hours * 3_600_000; attempts++) waited += shortestPause(attempts);
  return attempts;
}

/**
 * Returns the number of attempts after which a process that has ended during the last may have ended because of it.
 *
 * @param maxAttempts at work that fails
 * @param error of an earlier attempt; null if each ended with its process
 */
export function attemptsBeforeEnd(maxAttempts: number, error: string | null): number {
  return error === null ? MAX_ENDED_ATTEMPTS : Math.max(MAX_ENDED_ATTEMPTS, maxAttempts);
}

function shortestPause(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
}
