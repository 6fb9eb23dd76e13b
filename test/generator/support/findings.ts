import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { createTestDatabase } from '../../support/databases/databases';
import { judgeEachMigration } from '../../support/databases/describe-migrations';
import { databaseSettings } from '../../support/databases/sample-database';
import { addToSchema } from '../../support/databases/with-schema';
import type { Migration } from './generated-classes';

/** Names of the migrations that break a rule of docs/schema-changes.md, without their times. */
export async function findingsOf(
  entities: readonly Function[],
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const database = await createTestDatabase('postgres');
  const takeBack = addToSchema({ entities, migrations });
  const dataSource = await createDataSource(databaseSettings(database.url)).initialize();
  takeBack();
  const { findings } = await judgeEachMigration(dataSource);
  await dataSource.destroy();
  await database.drop();
  const names = migrations.map(({ name }) => name);
  const broken = names.filter((name) => findings.some(({ migration }) => migration === name));
  return broken.map((name) => name.replace(/\d{13}$/, ''));
}
