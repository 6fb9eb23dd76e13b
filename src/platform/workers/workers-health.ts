import { HealthCheck, type HealthResult } from '../health/health-check';
import type { PrimaryLink } from './primary-link';

/** Reports whether all workers of the node are there. The node goes on with those it has. */
export class WorkersHealth extends HealthCheck {
  readonly name = 'workers';
  readonly isRequired = false;
  private listening = 1;

  /**
   * @param wanted number of workers there should be
   * @param primary undefined in a process that is not a worker
   */
  constructor(
    private readonly wanted: number,
    private readonly primary: PrimaryLink | undefined,
  ) {
    super();
    primary?.on('strength', ({ listening }) => (this.listening = listening));
  }

  check(): HealthResult | undefined {
    if (!this.primary) return undefined;
    const { wanted, listening } = this;
    const details = { wanted, listening, asked: this.primary.number };
    if (listening >= wanted) return { status: 'ok', details };
    return { status: 'failed', reason: 'A worker has ended and another is starting.', details };
  }
}
