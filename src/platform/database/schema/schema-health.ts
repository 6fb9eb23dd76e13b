import { Injectable } from '@nestjs/common';
import { withCallsBeside } from '../../config/called-as';
import type { Settings } from '../../config/settings';
import { InjectSettings } from '../../config/settings.module';
import { HealthCheck, type HealthResult } from '../../health/health-check';
import { SchemaReadiness } from './schema-state';

/** Checks that the database has everything this build needs. */
@Injectable()
export class SchemaHealth extends HealthCheck {
  readonly name = 'schema';
  readonly isRequired = true;

  constructor(
    private readonly schema: SchemaReadiness,
    @InjectSettings() private readonly settings: Settings,
  ) {
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
      reason: withCallsBeside(
        'Tables or columns are gone, though every migration is applied: run "petstore doctor".',
        this.settings.nodeEnv,
      ),
      details: { ...details, missing },
    };
  }
}
