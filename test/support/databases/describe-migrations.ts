import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import type { SchemaPart } from '../../../src/platform/database/driver/schema-parts';
import type { Facts, TableSize } from '../../../src/platform/database/plan/facts';
import {
  describeFindings,
  judge,
  type MigrationPlan,
} from '../../../src/platform/database/plan/plan-migrations';
import { recordMigrations } from '../../../src/platform/database/plan/scratch';
import { readSchemaState } from '../../../src/platform/database/schema/schema-state';
import { createTestDatabase, type TestDatabase } from './databases';
import { databaseSettings } from './sample-database';

const LARGE: TableSize = { rows: 10_000_000, bytes: 1_000_000_000 };

/** Every table is large, and the version before uses all columns. What the docs tell operators to do before has been done. */
const WORST: Facts = {
  engine: 'postgres',
  sizes: { get: () => LARGE } as unknown as Facts['sizes'],
  indexes: new Set(),
  serving: { versions: ['before'], columns: undefined },
  isPrepared: true,
};

/** Judges each migration by itself, on a PostgreSQL database that has all before it, where every table is large and in use. */
export async function judgeEachMigration(dataSource: DataSource): Promise<MigrationPlan> {
  const { pending } = await readSchemaState(dataSource);
  return judge(await recordMigrations(dataSource, { pending, isEachAlone: true }), WORST);
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
  describe('Each migration', () => {
    let database: TestDatabase;
    let dataSource: DataSource;

    beforeAll(async () => {
      database = await createTestDatabase('postgres');
      dataSource = await createDataSource(databaseSettings(database.url), parts).initialize();
    });
    afterAll(async () => {
      await dataSource.destroy();
      await database.drop();
    });

    it('hurts nothing that serves while it is applied to large tables', async () => {
      const plan = await judgeEachMigration(dataSource);
      const findings = plan.findings.filter(
        ({ migration }) => isJudged(migration) && !accepted.includes(migration),
      );
      expect(describeFindings({ ...plan, findings })).toEqual([]);
      expect(accepted.filter((name) => !plan.findings.some(({ migration }) => migration === name))).toEqual(
        [],
      );
    });
  });
}
