import { describeFinding, type Finding, judgeMigrations } from '@petstore/migrations';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import type { SchemaPart } from '../../../src/platform/database/driver/schema-parts';
import { createTestDatabase, ENGINES } from './databases';
import { databaseSettings } from './sample-database';

/** Judges the migrations of an open data source on a PostgreSQL database that is made for that. */
export async function judgeEachMigration({ migrations, options }: DataSource): Promise<Finding[]> {
  const database = await createTestDatabase('postgres');
  const dataSource = createDataSource(databaseSettings(database.url));
  await dataSource.setOptions({ entities: options.entities, migrations: [] }).initialize();
  dataSource.migrations.push(...migrations);
  try {
    return await judgeMigrations(dataSource);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
}

interface Judged {
  /** Names of migrations that may break a rule, such as one that drops what two releases before retired. */
  readonly accepted?: readonly string[];
  /** False for those that others answer for. */
  readonly isJudged?: (migration: string) => boolean;
}

/**
 * Checks that no migration breaks a rule of docs/schema-changes.md.
 *
 * @param parts modules of other packages; the service's own are known
 */
export function describeMigrations(
  parts: readonly SchemaPart[],
  { accepted = [], isJudged = () => true }: Judged = {},
): void {
  // On both whatever `TEST_ENGINE` says: most rules are of PostgreSQL.
  describe.each(ENGINES)('Each migration on %s', (engine) => {
    it('hurts nothing that serves while it is applied to large tables', async () => {
      const database = await createTestDatabase(engine);
      const dataSource = await createDataSource(databaseSettings(database.url), parts).initialize();
      const found = await judgeMigrations(dataSource);
      await dataSource.destroy();
      await database.drop();
      const findings = found.filter(({ migration }) => isJudged(migration) && !accepted.includes(migration));
      expect(findings.map(describeFinding)).toEqual([]);
      if (engine === 'sqlite') return;
      const broken = new Set(found.map(({ migration }) => migration));
      expect(accepted.filter((name) => !broken.has(name))).toEqual([]);
    });
  });
}
