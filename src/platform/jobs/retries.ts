/** Hours for which a handler or a job that fails is called again unless it says otherwise; then an operator decides. */
const USUAL_HOURS = 24;
/** A year. */
const MOST_HOURS = 8_760;

/** Attempts at work that may have ended its process each time. */
const MAX_ENDED_ATTEMPTS = 15;

/** Sentence that precedes a stored error once for each attempt that has ended without an outcome. */
const ENDED = 'The process ended.';

/** Sentences with which a stored error begins. */
const ALL_ENDED = new RegExp(`^(?:${RegExp.escape(ENDED)} ?)*`);

/** Work of which attempts are stored: a run of a job, or an event for a handler. */
interface Attempted {
  /** Attempts begun, the current one too. */
  readonly attempts: number;
  /** Last error, as {@link ERROR_WHEN_CLAIMED} and {@link errorAfter} write it. */
  readonly error: string | null;
}

/**
 * SQL for the error of work as a process claims it: a row that nobody has given back was left by a process that has ended. Such
 * attempts are counted by themselves, for they follow each other without pauses, and end processes.
 */
export const ERROR_WHEN_CLAIMED = `CASE WHEN "locked_by" IS NULL THEN "error" ELSE '${ENDED}' || coalesce(' ' || "error", '') END`;

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
 * Returns the reason for which work is not tried again: processes have ended during its attempts, perhaps because of it;
 * undefined if it may be tried.
 *
 * @param maxAttempts at work that fails
 */
export function reasonToEnd({ attempts, error }: Attempted, maxAttempts: number): string | undefined {
  const ends = endsOf(error);
  const ended = ends.split(ENDED).length - 1;
  if (ended < MAX_ENDED_ATTEMPTS && attempts <= Math.max(MAX_ENDED_ATTEMPTS, maxAttempts)) return undefined;
  const before = (error ?? '').slice(ends.length);
  const reason = `The process has ended during ${ended} of ${attempts - 1} attempts.`;
  return before === '' ? reason : `${reason} Before: ${before}`;
}

/** Returns the error to store of an attempt that will be repeated: ended attempts stay counted. */
export function errorAfter({ error }: Pick<Attempted, 'error'>, text: string): string {
  const ends = endsOf(error);
  return ends === '' ? text : `${ends.trimEnd()} ${text}`;
}

function endsOf(error: string | null): string {
  return ALL_ENDED.exec(error ?? '')?.[0] ?? '';
}

function shortestPause(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
}
