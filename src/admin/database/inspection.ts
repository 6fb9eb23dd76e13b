import type { Finding } from '../../platform/health/check';

/** A check of the database and its result. The members are stable: scripts read them. */
export interface Inspection {
  readonly name: string;
  /** `skipped` if the check could not be made, which is no fault of the database. */
  readonly status: 'ok' | 'failed' | 'skipped';
  /** One sentence. */
  readonly found: string;
  /** Problems one by one, with what to do; empty unless failed. */
  readonly problems: readonly string[];
}

/** Most problems of one kind to name: thousands say no more than twenty. */
export const MOST_PROBLEMS = 20;

/** The findings of a check as `petstore db check` prints them: whatever is not well is a problem. */
export function inspectionOf(name: string, findings: readonly Finding[]): Inspection {
  const problems = findings.filter(({ status }) => status !== 'ok' && status !== 'skipped').map(inWords);
  if (problems.length === 0) {
    const isSkipped = findings.some(({ status }) => status === 'skipped');
    return { name, status: isSkipped ? 'skipped' : 'ok', found: findings.map(inWords).join(' '), problems };
  }
  const many = problems.length >= MOST_PROBLEMS ? `${MOST_PROBLEMS} or more` : String(problems.length);
  return {
    name,
    status: 'failed',
    found: `${many} problem${problems.length === 1 ? '' : 's'} found.`,
    problems: problems.slice(0, MOST_PROBLEMS),
  };
}

function inWords({ reason = '', advice }: Finding): string {
  return advice === undefined ? reason : `${reason} ${advice}`;
}
