import { Injectable } from '@nestjs/common';
import { HealthCheck, type HealthResult } from '../health/health-check';
import { SchemaReadiness } from './schema-state';

/** Whether the database has all this build needs. */
@Injectable()
export class SchemaHealth extends HealthCheck {
  readonly name = 'schema';
  readonly isRequired = true;

  constructor(private readonly schema: SchemaReadiness) {
    super();
  }

  async check(): Promise<HealthResult> {
    const { pending, unknown } = await this.schema.state();
    const details = { pending, unknown };
    return pending.length === 0
      ? { status: 'ok', details }
      : { status: 'failed', reason: 'The database is behind: migrations are pending.', details };
  }
}
