/** One difference between two OpenAPI documents, as clients feel it. The members are stable: scripts read them. */
export interface Change {
  /** `breaking`: a client that keeps to the old document may fail. */
  readonly severity: 'breaking' | 'non-breaking';
  /** Where it is, as `GET /pets, 200 application/json, [].name`. */
  readonly where: string;
  /** What it is; one sentence. */
  readonly what: string;
}

/** A change that hurts. */
export function breaking(where: string, what: string): Change {
  return { severity: 'breaking', where, what };
}

/** A change that breaks no client. */
export function harmless(where: string, what: string): Change {
  return { severity: 'non-breaking', where, what };
}

/** What appears is harmless, what disappears is not; the other way round where that is what clients feel. */
export function appearance(
  where: string,
  noun: string,
  change: 'added' | 'removed',
  isBreaking = change === 'removed',
): Change {
  return { severity: isBreaking ? 'breaking' : 'non-breaking', where, what: `The ${noun} is ${change}.` };
}

/**
 * Which way values go. Everything that clients could send before must still be accepted. Clients must get nothing that they could
 * not get before. New members are the exception: no client sent or got them before, so they break no client.
 */
export type Direction = 'sent' | 'got';
