/** What a check is about, for people: never a password, nor an address that holds one. */
export type HealthDetails = Readonly<Record<string, unknown>>;

/** How something the service needs is doing. */
export interface HealthResult {
  /**
   * `degraded` when the service can go on without what is missing, for a part of its requests; `saturated` when it has more to do
   * than it can do in time.
   */
  readonly status: 'ok' | 'degraded' | 'saturated' | 'failed';
  /** One sentence on what is wrong. */
  readonly reason?: string;
  readonly details?: HealthDetails;
}

/**
 * Something whose health is shown on the management port. A feature extends this class in its own folder and makes it a
 * provider of its module; there is no list to add it to.
 */
export abstract class HealthCheck {
  /** The member it is told under. */
  abstract readonly name: string;

  /** Whether the service cannot serve without it, and so is not ready while it fails. */
  abstract readonly isRequired: boolean;

  /** What is worth telling whatever the check finds, also when it finds nothing in time. */
  get facts(): HealthDetails {
    return {};
  }

  /**
   * Looks at it. What it throws counts as failed; so does taking longer than a second.
   *
   * @returns undefined when there is no such thing here
   */
  abstract check(): Promise<HealthResult | undefined> | HealthResult | undefined;
}
