import { Injectable } from '@nestjs/common';
import { calledBeside } from '../../config/called-as';
import { npmScript } from '../../config/npm-script';
import type { Settings } from '../../config/settings';
import { InjectSettings } from '../../config/settings.module';
import { HealthCheck, type HealthResult } from '../../health/health-check';
import { behind } from './migrations.check';
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
    const state = await this.schema.state();
    const { pending, unknown, missing } = state;
    const details = { pending, unknown };
    if (pending.length > 0) return { status: 'failed', reason: behind(state), details };
    if (missing.length === 0) return { status: 'ok', details };
    return {
      status: 'failed',
      reason: `Tables or columns are gone, though every migration is applied: run "${calledBeside(this.settings.nodeEnv, npmScript())} doctor".`,
      details: { ...details, missing },
    };
  }
}
