import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseSettings } from '../../test/support/databases/sample-database';
import { makeFolder } from '../../test/support/folders';
import { rememberService } from '../platform/config/package-version';
import { createDataSource } from '../platform/database/driver/data-source';
import { migrate } from '../platform/database/schema/migrate';
import { schemaOf } from '../platform/features/feature-modules';
import { Pet } from '../pets/pet.entity';
import { PetsModule } from './pets';

describe('The module of pets in a service of another repository', () => {
  it('brings the migrations of every column that pets have', async () => {
    // This service finds the files of all migrations in its folder; another one has those that the module lists.
    const entry = join(makeFolder(), 'main.js');
    writeFileSync(entry, '');
    rememberService(entry);
    const settings = databaseSettings('sqlite::memory:');
    const dataSource = await createDataSource(settings, schemaOf({ PetsModule })).initialize();
    await migrate(dataSource);
    expect(await dataSource.getRepository(Pet).find()).toEqual([]);
    await dataSource.destroy();
  });
});
