/** A check of the database and its result. The members are stable: scripts read them. */
export interface Inspection {
  readonly name: string;
  /** `skipped` if the check could not be made, which is no fault of the database. */
  readonly status: 'ok' | 'failed' | 'skipped';
  /** One sentence. */
  readonly found: string;
  /** Problems one by one; empty unless failed. */
  readonly problems: readonly string[];
}

/** Depth of the checks: `quick` leaves out those that read every row of every index. */
export type Depth = 'quick' | 'full';

/** Most problems of one kind to name: thousands say no more than twenty. */
export const MOST_PROBLEMS = 20;

/** An inspection that failed if there are problems. */
export function judged(name: string, problems: readonly string[], sound: string): Inspection {
  if (problems.length === 0) return { name, status: 'ok', found: sound, problems };
  const many = problems.length >= MOST_PROBLEMS ? `${MOST_PROBLEMS} or more` : String(problems.length);
  return {
    name,
    status: 'failed',
    found: `${many} problem${problems.length === 1 ? '' : 's'} found.`,
    problems: problems.slice(0, MOST_PROBLEMS),
  };
}

/** An inspection that could not be made. */
export function skipped(name: string, reason: string): Inspection {
  return { name, status: 'skipped', found: reason, problems: [] };
}
