import type { Cli } from '../../platform/cli/cli';
import type { Settings } from '../../platform/config/settings';
import type { openDatabase } from '../../platform/database/driver/open';

/** What a check found: one line. */
export interface Finding {
  /** `warn`: it works, and the operator should know; `fail`: it does not work, or not as the settings say. */
  readonly status: 'ok' | 'warn' | 'fail';
  /** One or two sentences. */
  readonly found: string;
  /** What to do about it; always there unless all is well. */
  readonly advice?: string;
}

/** The connection that the checks share. */
export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** What a check may look at. */
export interface DoctorContext {
  readonly cli: Cli;
  readonly settings: Settings;
  /** Whether to take the time that reading every row takes. */
  readonly isDeep: boolean;
  /**
   * The database, opened at most once, and never made.
   *
   * @throws MissingDatabaseError or DatabaseOpenError
   */
  database(): Promise<OpenDatabase>;
}

/** Looks at one thing a support person would ask about, and changes nothing. */
export interface DoctorCheck {
  /** Stable: scripts read it. */
  readonly name: string;
  /** After how long it counts as failed, in milliseconds. */
  readonly limitMs: number;
  /** @returns nothing when there is nothing of the kind here */
  run(context: DoctorContext): Promise<readonly Finding[]> | readonly Finding[];
}

/** All is well. */
export function ok(found: string): Finding {
  return { status: 'ok', found };
}

/** It works, and the operator should know. */
export function warn(found: string, advice: string): Finding {
  return { status: 'warn', found, advice };
}

/** It does not work. */
export function fail(found: string, advice: string): Finding {
  return { status: 'fail', found, advice };
}
