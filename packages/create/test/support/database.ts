import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../../src/platform/database/driver/data-source.ts';
import { createTestDatabase } from '../../../../test/support/databases/databases.ts';
import { judgeEachMigration } from '../../../../test/support/databases/describe-migrations.ts';
import { databaseSettings } from '../../../../test/support/databases/sample-database.ts';
import { addToSchema } from '../../../../test/support/databases/with-schema.ts';
import type { Migration } from './generated-classes.ts';

/** Opens a database as the service does with these entities and migrations beside its own; nothing is migrated. */
export async function openWith(
  url: string,
  entities: readonly Function[],
  migrations: readonly Migration[],
): Promise<DataSource> {
  const takeBack = addToSchema({ entities, migrations });
  const opened = await createDataSource(databaseSettings(url)).initialize();
  takeBack();
  return opened;
}

/** Statements that would make the schema what the entities declare. */
export async function driftOf({ driver }: DataSource): Promise<string[]> {
  const { upQueries } = await driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

/** Names of the migrations that break a rule of docs/schema-changes.md, without their times. */
export async function findingsOf(
  entities: readonly Function[],
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const database = await createTestDatabase('postgres');
  const dataSource = await openWith(database.url, entities, migrations);
  const findings = await judgeEachMigration(dataSource);
  await dataSource.destroy();
  await database.drop();
  const names = migrations.map(({ name }) => name);
  const broken = names.filter((name) => findings.some(({ migration }) => migration === name));
  return broken.map((name) => name.replace(/\d{13}$/, ''));
}
