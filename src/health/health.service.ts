import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { SchemaReadiness } from '../platform/database/schema-state';

/** How long the database may take to answer before the service calls itself not ready, in milliseconds. */
const DATABASE_TIMEOUT_MS = 1_000;

/** Whether this process can serve. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly schema: SchemaReadiness,
  ) {}

  /** True when the database answers within a second and its schema is current. Never throws. */
  async isReady(): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, false);
    const answer = this.ask().catch(() => false);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(): Promise<boolean> {
    await this.database.exclusively((dataSource) => dataSource.query('SELECT 1'));
    return this.schema.isCurrent();
  }
}
