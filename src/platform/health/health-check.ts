import type { Check, Finding } from './check';

/** Facts about the subject of a check, for people: never a password, nor an address that holds one. */
export type HealthDetails = Readonly<Record<string, unknown>>;

/** State of something that the service needs. */
export interface HealthResult extends Finding {
  readonly details?: HealthDetails;
}

/**
 * A check of the running service, whose result is shown on the management port. A feature extends this class in its own folder
 * and makes it a provider of its module; there is no list to add it to.
 */
export abstract class HealthCheck implements Check {
  /** Name of the member that shows the result. */
  abstract readonly name: string;

  readonly needs = 'service';

  readonly limitMs = 1_000;

  /** True if the service cannot serve without it, and so is not ready while the check fails. */
  abstract readonly isRequired: boolean;

  /** Facts to show whatever the result is, also when the check times out. */
  get facts(): HealthDetails {
    return {};
  }

  /**
   * Checks the health. An exception counts as failed; so does taking longer than a second.
   *
   * @returns undefined when there is no such thing here
   */
  abstract check(): Promise<HealthResult | undefined> | HealthResult | undefined;
}
