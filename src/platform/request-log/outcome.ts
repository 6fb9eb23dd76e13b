/**
 * How a request ended: with a 2xx or 3xx, a 4xx, a 5xx, or before the client had the whole response. A refusal or a failure that did
 * not arrive is still one.
 */
export const OUTCOMES = ['succeeded', 'refused', 'failed', 'aborted'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** How a request ended. @param isWhole whether the client had the whole response */
export function outcomeOf(status: number | undefined, isWhole: boolean): Outcome {
  if (status === undefined) return 'aborted';
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return isWhole ? 'succeeded' : 'aborted';
}
