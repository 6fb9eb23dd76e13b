import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { createDataSource } from './data-source';

describe('The data source of a service', () => {
  it("has migrations that TypeORM's own commands run, those without a transaction too", async () => {
    const dataSource = await createDataSource(databaseSettings('sqlite::memory:')).initialize();
    await dataSource.runMigrations();
    expect(await dataSource.showMigrations()).toBe(false);
    await dataSource.destroy();
  });
});
