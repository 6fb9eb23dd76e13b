import type { CheckContext } from '../../platform/cli/cli';
import { engineOf } from '../../platform/database/column-types';
import { MIGRATIONS } from '../../platform/database/schema/migrations.check';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { missingTextIndexes } from '../../platform/database/statements/text-index';
import { type Check, failed, listOf, ok, skipped } from '../../platform/health/check';
import { type Inspection, inspectionOf } from './inspection';
import { POSTGRES_CHECKS } from './postgres.checks';
import { SQLITE_CHECKS } from './sqlite.checks';

/** What the checks of a database are made with. */
export type DatabaseContext = Omit<CheckContext, 'service'>;

/**
 * Checks that a database is intact and fits this build; changes nothing.
 *
 * @throws the driver's error if the database goes away
 */
export async function inspectDatabase(context: DatabaseContext): Promise<Inspection[]> {
  const storage: readonly Check<DatabaseContext>[] =
    engineOf(await context.database()) === 'sqlite' ? SQLITE_CHECKS : POSTGRES_CHECKS;
  const inspections: Inspection[] = [];
  for (const check of [...storage, MIGRATIONS, SCHEMA]) {
    const findings = listOf(await check.check(context));
    if (findings.length === 0) continue;
    const inspection = inspectionOf(check.name, findings);
    inspections.push(inspection);
    // A damaged file may return anything, so nothing more is read from it.
    if (check.name === 'integrity' && inspection.status === 'failed') break;
  }
  return inspections;
}

/**
 * Statements that TypeORM's schema builder would still run to fit the tables to the entities, and the missing text indexes,
 * which it does not know.
 */
const SCHEMA: Check<DatabaseContext> = {
  name: 'schema',
  needs: 'database',
  async check({ database }) {
    const dataSource = await database();
    const { pending, unknown } = await readSchemaState(dataSource);
    if (pending.length > 0 || unknown.length > 0) {
      return skipped('The tables belong to another version and were not compared.');
    }
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const needed = [...upQueries.map(({ query }) => query), ...(await missingTextIndexes(dataSource))];
    if (needed.length === 0) return ok('The tables match the entities.');
    return needed.map((query) => failed(`The tables differ from the entities; missing: ${query}`));
  },
};
