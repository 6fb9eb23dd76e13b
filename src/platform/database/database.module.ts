import { Module } from '@nestjs/common';
import { DatabaseClock } from './database-clock';
import { DatabaseHealth } from './monitoring/database-health';
import { DurabilityMetrics } from './monitoring/durability-metrics';
import { PoolMetrics } from './monitoring/pool-metrics';
import { Replicas } from './replicas/replicas';
import { SchemaHealth } from './schema/schema-health';
import { SchemaReadiness } from './schema/schema-state';

/** Provides what is known of the database; every module has the database itself. */
@Module({
  providers: [
    DatabaseClock,
    DatabaseHealth,
    DurabilityMetrics,
    PoolMetrics,
    Replicas,
    SchemaHealth,
    SchemaReadiness,
  ],
  exports: [DatabaseClock, Replicas, SchemaReadiness],
})
export class DatabaseModule {}
