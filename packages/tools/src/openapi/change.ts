/** One difference between two OpenAPI documents that affects clients. The members are stable: scripts read them. */
export interface Change {
  /** `breaking`: a client that keeps to the old document may fail. */
  readonly severity: 'breaking' | 'non-breaking';
  /** Location of the change, for example `GET /pets, 200 application/json, [].name`. */
  readonly where: string;
  /** Description of the change; one sentence. */
  readonly what: string;
}

/** A change that may break clients. */
export function breaking(where: string, what: string): Change {
  return { severity: 'breaking', where, what };
}

/** A change that breaks no client. */
export function harmless(where: string, what: string): Change {
  return { severity: 'non-breaking', where, what };
}

/** A change for something added, which is harmless, or removed, which is breaking; `isBreaking` overrides that. */
export function appearance(
  where: string,
  noun: string,
  change: 'added' | 'removed',
  isBreaking = change === 'removed',
): Change {
  return { severity: isBreaking ? 'breaking' : 'non-breaking', where, what: `The ${noun} is ${change}.` };
}

/**
 * Direction in which values travel. Everything that clients could send before must still be accepted, and clients must receive
 * only what they could receive before. New members are the exception: no client sent or received them before, so they break no
 * client.
 */
export type Direction = 'sent' | 'got';
