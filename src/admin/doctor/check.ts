import type { Cli } from '../../platform/cli/cli';
import type { Settings } from '../../platform/config/settings';
import type { openDatabase } from '../../platform/database/driver/open';

/** The result of a check: one line. */
export interface Finding {
  /** `warn`: it works, and the operator should know; `fail`: it does not work, or not as the settings say. */
  readonly status: 'ok' | 'warn' | 'fail';
  /** One or two sentences. */
  readonly found: string;
  /** Advice for the operator; always present unless all is well. */
  readonly advice?: string;
  /** The commands that the advice proposes, as they are to be copied. */
  readonly commands?: readonly string[];
}

/** The connection that the checks share. */
export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** The environment of a check. */
export interface DoctorContext {
  readonly cli: Cli;
  readonly settings: Settings;
  /** True if checks may take the time to read every row. */
  readonly isDeep: boolean;
  /**
   * Opens the database, at most once, and never creates it.
   *
   * @throws MissingDatabaseError or DatabaseOpenError
   */
  database(): Promise<OpenDatabase>;
}

/** Checks one thing that a support person would ask about, and changes nothing. */
export interface DoctorCheck {
  /** Stable: scripts read it. */
  readonly name: string;
  /** Time after which it counts as failed, in milliseconds. */
  readonly limitMs: number;
  /** @returns an empty list if there is nothing of the kind here */
  run(context: DoctorContext): Promise<readonly Finding[]> | readonly Finding[];
}

/** A finding that all is well. */
export function ok(found: string): Finding {
  return { status: 'ok', found };
}

/** A finding that it works, but the operator should know. */
export function warn(found: string, advice: string, ...commands: string[]): Finding {
  return { status: 'warn', found, advice, ...(commands.length > 0 && { commands }) };
}

/** A finding that it does not work. */
export function fail(found: string, advice: string, ...commands: string[]): Finding {
  return { status: 'fail', found, advice, ...(commands.length > 0 && { commands }) };
}
