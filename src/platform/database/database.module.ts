import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Database } from './database';
import { DatabaseClock } from './database-clock';
import { DatabaseHealth } from './monitoring/database-health';
import { DurabilityMetrics } from './monitoring/durability-metrics';
import { PoolMetrics } from './monitoring/pool-metrics';
import { Replicas } from './replicas/replicas';
import { SchemaHealth } from './schema/schema-health';
import { SchemaReadiness } from './schema/schema-state';

/** Offers a database that was opened before Nest started; the caller that opened it closes it after Nest has stopped. */
@Module({})
export class DatabaseModule {
  static forRoot(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        // Values would be written as JSON for the `snapshot` of Nest, and these refer to themselves.
        { provide: DataSource, useFactory: () => dataSource },
        { provide: EntityManager, useFactory: () => dataSource.manager },
        Database,
        DatabaseClock,
        DatabaseHealth,
        PoolMetrics,
        DurabilityMetrics,
        Replicas,
        SchemaHealth,
        SchemaReadiness,
      ],
      exports: [DataSource, EntityManager, Database, DatabaseClock, PoolMetrics, SchemaReadiness],
    };
  }
}
