import { createTestDatabase } from '../../support/databases/databases';
import { judgeEachMigration } from '../../support/databases/describe-migrations';
import type { Migration } from './generated-classes';
import { openWith } from './releases';

/** Names of the migrations that break a rule of docs/schema-changes.md, without their times. */
export async function findingsOf(
  entities: readonly Function[],
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const database = await createTestDatabase('postgres');
  const dataSource = await openWith(database.url, entities, migrations);
  const { findings } = await judgeEachMigration(dataSource);
  await dataSource.destroy();
  await database.drop();
  const names = migrations.map(({ name }) => name);
  const broken = names.filter((name) => findings.some(({ migration }) => migration === name));
  return broken.map((name) => name.replace(/\d{13}$/, ''));
}
