import { Injectable } from '@nestjs/common';
import { HealthCheck, type HealthDetails, type HealthResult } from '../health/health-check';
import { Database } from './database';
import { assertFileInPlace } from './driver/sqlite-file';
import { sqliteOf } from './statements/statement';

/** Whether the database answers. */
@Injectable()
export class DatabaseHealth extends HealthCheck {
  readonly name = 'database';
  readonly isRequired = true;

  constructor(private readonly database: Database) {
    super();
  }

  override get facts(): HealthDetails {
    return { engine: this.database.engine, pool: this.database.pool };
  }

  async check(): Promise<HealthResult> {
    const began = performance.now();
    const { engine, dataSource } = this.database;
    if (engine === 'sqlite') assertFileInPlace(sqliteOf(dataSource));
    await dataSource.query('SELECT 1');
    return { status: 'ok', details: { latencyMs: Math.round((performance.now() - began) * 10) / 10 } };
  }
}
