import { Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource, EntityManager } from 'typeorm';
import { describeOneEngine } from '../../test/support/databases/databases';
import { TestPlatformModule } from '../../test/support/service/test-platform.module';
import { AuditLog } from './audit/audit-log';
import { SETTINGS } from './config/settings.module';
import { Database } from './database/database';
import { DatabaseClock } from './database/database-clock';
import { DatabaseModule } from './database/database.module';
import { Events } from './events/events';
import { Jobs } from './jobs/jobs';
import { LOGGER } from './logging/logging.module';
import { Metrics } from './telemetry/metrics';

const OFFERED = [AuditLog, Database, DataSource, EntityManager, Events, Jobs, LOGGER, Metrics, SETTINGS];

@Injectable()
class Punctual {
  constructor(readonly clock: DatabaseClock) {}
}

const NEEDS = { provide: 'needs', useFactory: (...made: unknown[]) => made, inject: OFFERED };
const REF = { provide: 'ref', useFactory: (ref: ModuleRef) => ref, inject: [ModuleRef] };

@Module({ providers: [NEEDS, REF] })
class TeamModule {}

@Module({ imports: [DatabaseModule], providers: [REF] })
class ImportingModule {}

describeOneEngine('PlatformModule', (engine) => {
  let app: TestingModule;

  beforeAll(async () => {
    app = await Test.createTestingModule({
      imports: [TestPlatformModule.forRoot(engine), TeamModule, ImportingModule],
    }).compile();
  });
  afterAll(() => app.close());

  const refOf = (module: typeof TeamModule) => app.select(module).get<ModuleRef>('ref', { strict: true });

  it('lets every module inject what teams may use', () => {
    const made = app.select(TeamModule).get<unknown[]>('needs');
    expect(made.map((one) => one !== undefined)).toEqual(OFFERED.map(() => true));
  });

  it('lets modules inject what belongs to a room only if they import its module', async () => {
    await expect(refOf(TeamModule).create(Punctual)).rejects.toThrow('DatabaseClock');
    expect((await refOf(ImportingModule).create(Punctual)).clock).toBeInstanceOf(DatabaseClock);
  });
});
