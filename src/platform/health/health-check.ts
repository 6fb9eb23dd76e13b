/** Facts about the subject of a check, for people: never a password, nor an address that holds one. */
export type HealthDetails = Readonly<Record<string, unknown>>;

/** State of something that the service needs. */
export interface HealthResult {
  /**
   * `degraded` when the service can go on without what is missing, except for a part of its requests; `saturated` when it has
   * more to do than it can do in time.
   */
  readonly status: 'ok' | 'degraded' | 'saturated' | 'failed';
  /** One sentence on the fault. */
  readonly reason?: string;
  readonly details?: HealthDetails;
}

/**
 * Something whose health is shown on the management port. A feature extends this class in its own folder and makes it a
 * provider of its module; there is no list to add it to.
 */
export abstract class HealthCheck {
  /** Name of the member that shows the result. */
  abstract readonly name: string;

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
