/**
 * Outcomes of a request: a 2xx or 3xx, a 4xx, a 5xx, or an end before the client had the whole response. A refusal or a failure
 * that did not arrive still counts as one.
 */
export const OUTCOMES = ['succeeded', 'refused', 'failed', 'aborted'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Returns the outcome of a request. @param isWhole true if the client had the whole response */
export function outcomeOf(status: number | undefined, isWhole: boolean): Outcome {
  if (status === undefined) return 'aborted';
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return isWhole ? 'succeeded' : 'aborted';
}
