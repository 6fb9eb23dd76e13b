import { type DataSource, Entity, PrimaryColumn } from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { BooleanColumn, TextColumn } from '../column-types';
import { createDataSource } from '../driver/data-source';
import { fillColumn } from './fill-column';

@Entity('filled_rows')
class FilledRow {
  @PrimaryColumn('integer')
  id!: number;

  @TextColumn({ name: 'city_name', nullable: true })
  cityName!: string | null;

  @BooleanColumn({ name: 'is_open', nullable: true })
  isOpen!: boolean | null;
}

describeEachEngine('A filled column', (engine) => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(engine);
    dataSource = createDataSource(databaseSettings(testDatabase.url));
    dataSource.setOptions({ entities: [FilledRow], migrations: [] });
    await dataSource.initialize();
    await dataSource.query(
      'CREATE TABLE "filled_rows" ("id" integer PRIMARY KEY, "city_name" text, "is_open" boolean)',
    );
  });
  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  it('keeps the values that are there, and gives the other rows one', async () => {
    const rows = dataSource.getRepository(FilledRow);
    const added = Array.from({ length: 2_345 }, (_, index) => ({
      id: 3 * index,
      cityName: index === 7 ? 'Ulm' : null,
      isOpen: null,
    }));
    await rows.insert(added.slice(0, 1_000));
    await rows.insert(added.slice(1_000));
    await fillColumn(rows, 'cityName', "none's");
    await fillColumn(rows, 'isOpen', true);
    expect(await rows.countBy({ cityName: "none's", isOpen: true })).toBe(2_344);
    expect(await rows.findOneBy({ id: 21 })).toEqual({ id: 21, cityName: 'Ulm', isOpen: true });
  });
});
