import { Injectable } from '@nestjs/common';
import { HealthCheck, type HealthResult } from '../../health/health-check';
import { Database } from '../database';
import { awaySentence, readWorkers } from './workers';

/** Whether the workers of Citus answer. Without one of them the service is ready all the same: for the rows of the others. */
@Injectable()
export class WorkersHealth extends HealthCheck {
  readonly name = 'workers';
  readonly isRequired = true;

  constructor(private readonly database: Database) {
    super();
  }

  async check(): Promise<HealthResult | undefined> {
    if (this.database.engine === 'sqlite') return undefined;
    try {
      const workers = await this.database.exclusively(readWorkers);
      if (!workers) return undefined;
      const reason = awaySentence(workers);
      return reason === undefined ? { status: 'ok' } : { status: 'degraded', reason };
    } catch {
      // If it is the coordinator that does not answer, the check of the database fails.
      return { status: 'degraded', reason: 'The workers did not all say in time whether they answer.' };
    }
  }
}
