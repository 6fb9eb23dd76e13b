/** What a check has found: one line of a report. */
export interface Finding {
  /**
   * `degraded` if it works, but not for everything or not for long; `saturated` if there is more to do than can be done in time;
   * `skipped` if the check could not be made, which is no fault of its subject.
   */
  readonly status: 'ok' | 'degraded' | 'saturated' | 'failed' | 'skipped';
  /** One or two sentences on what was found; may be absent if that is nothing to mention. */
  readonly reason?: string;
  /** What to do. */
  readonly advice?: string;
  /** The commands that the advice proposes, as they are to be copied. */
  readonly commands?: readonly string[];
}

/** What a check needs. Without it the check is not made, and the faces that do not have it leave the check out. */
export type Need = 'nothing' | 'settings' | 'database' | 'service';

/** Findings of a check; none if there is nothing of the kind here. */
export type Findings = Finding | readonly Finding[] | undefined;

/**
 * Examines one thing that the service needs, and changes nothing.
 *
 * @typeParam Given what the check is called with
 */
export interface Check<Given = unknown> {
  /** Stable: scripts read it. */
  readonly name: string;
  readonly needs: Need;
  /** Time after which the check counts as failed, in milliseconds; none for a check that ends by itself. */
  readonly limitMs?: number;
  check(given: Given): Promise<Findings> | Findings;
}

/** A finding that all is well. */
export function ok(reason: string): Finding {
  return { status: 'ok', reason };
}

/** A finding that it works, but the operator should know. */
export function degraded(reason: string, advice: string, ...commands: string[]): Finding {
  return { status: 'degraded', reason, advice, ...(commands.length > 0 && { commands }) };
}

/** A finding that it does not work, or not as the settings say. */
export function failed(reason: string, advice?: string, ...commands: string[]): Finding {
  return {
    status: 'failed',
    reason,
    ...(advice !== undefined && { advice }),
    ...(commands.length > 0 && { commands }),
  };
}

/** A finding that the check could not be made. */
export function skipped(reason: string, advice?: string): Finding {
  return { status: 'skipped', reason, ...(advice !== undefined && { advice }) };
}

/** All findings of a check. */
export function listOf(findings: Findings): readonly Finding[] {
  if (findings === undefined) return [];
  return 'status' in findings ? [findings] : findings;
}
