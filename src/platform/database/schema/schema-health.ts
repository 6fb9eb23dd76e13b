import { Injectable } from '@nestjs/common';
import { HealthCheck, type HealthResult } from '../../health/health-check';
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
    const { pending, unknown, missing } = await this.schema.state();
    const details = { pending, unknown };
    if (pending.length > 0) {
      return { status: 'failed', reason: 'The database is behind: migrations are pending.', details };
    }
    if (missing.length === 0) return { status: 'ok', details };
    return {
      status: 'failed',
      reason: 'Tables or columns are gone, though every migration is applied: run "petstore doctor".',
      details: { ...details, missing },
    };
  }
}
