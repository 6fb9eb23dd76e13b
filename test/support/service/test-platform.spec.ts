import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../../src/app.module';
import { PetsModule } from '../../../src/pets/pets.module';
import { PetsService } from '../../../src/pets/pets.service';
import { Database } from '../../../src/platform/database/database';
import { Events } from '../../../src/platform/events/events';
import { describeEachEngine } from '../databases/databases';
import { TestPlatformModule } from './test-platform.module';

/** Rows that were there when the application ended. */
const last: unknown[] = [];

@Injectable()
class Ledger implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    readonly database: Database,
    readonly events: Events,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    last.push(await this.dataSource.query('SELECT count(*) AS pets FROM pets'));
  }
}

@Module({ imports: [PetsModule], providers: [Ledger] })
class LedgerModule {}

describeEachEngine('A testing module with TestPlatformModule', (engine) => {
  let module: TestingModule;

  beforeAll(async () => {
    module = await Test.createTestingModule({
      imports: [TestPlatformModule.forRoot(engine), LedgerModule],
    }).compile();
  });

  it('gets database, events and its tables', async () => {
    const { events, database } = module.get(Ledger);
    expect(events).toBeInstanceOf(Events);
    const pets = module.get(PetsService);
    const { item } = await database.transaction(() => pets.create({ name: 'Rex', categoryId: 3n }));
    expect(await pets.get(item.id)).toEqual(item);
  });

  it('can use the database while it closes, and leaves none behind', async () => {
    const { dataSource } = module.get(Database);
    await module.init();
    await module.close();
    expect(last).toHaveLength(1);
    last.pop();
    expect(dataSource.isInitialized).toBe(false);
  });
});

it('The AppModule is refused with a remedy when a test imports it by itself', async () => {
  await expect(Test.createTestingModule({ imports: [AppModule] }).compile()).rejects.toThrow(
    'AppModule has no database by itself: make it with AppModule.forRoot(), or in a test start it with startTestService(), or import TestPlatformModule.forRoot() beside the module that is tested.',
  );
});

it('TestPlatformModule is refused as an application, whose routes nothing would guard', async () => {
  const module = await Test.createTestingModule({
    imports: [TestPlatformModule.forRoot('sqlite'), PetsModule],
  }).compile();
  await expect(module.createNestApplication().init()).rejects.toThrow(
    'Routes are served by the adapter of this service, not by ExpressAdapter: create the application with createApp(), or in a test with startTestService().',
  );
  await module.close();
});
