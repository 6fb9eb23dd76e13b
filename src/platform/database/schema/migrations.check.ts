import type { CheckContext } from '../../cli/cli';
import { petstore } from '../../config/called-as';
import type { Settings } from '../../config/settings';
import { type Check, degraded, failed, type Finding, ok } from '../../health/check';
import { type Engine, engineOf } from '../column-types';
import { serverMayCreate } from '../driver/missing-database';
import { findMigrationProblems } from './migration-problems';
import { readSchemaState, type SchemaState } from './schema-state';

/** Checks that the database has every migration of this build, and none that it does not know. */
export const MIGRATIONS: Check<Pick<CheckContext, 'settings' | 'database'>> = {
  name: 'migrations',
  needs: 'database',
  limitMs: 10_000,
  async check({ settings, database }) {
    const dataSource = await database();
    const state = await readSchemaState(dataSource);
    const problems = await findMigrationProblems(dataSource, state.pending);
    return [
      ...migrationFindings(state, engineOf(dataSource), settings),
      ...[...problems.values()].map(({ problem, advice }) => failed(problem, advice)),
    ];
  },
};

/** Says of which version a database is. */
export function migrationFindings(state: SchemaState, engine: Engine, settings: Settings): Finding[] {
  const { applied, pending, unknown } = state;
  const findings: Finding[] = [];
  if (unknown.length > 0) {
    const newer = `A newer version has migrated the database: ${unknown.join(', ')} is unknown to this version.`;
    findings.push(
      engine === 'postgres'
        ? degraded(newer, 'Finish the rollout of the newer version.')
        : failed(newer, 'Start the newer version: this version refuses the file.'),
    );
  }
  if (pending.length > 0) {
    const { migrateOnStart = engine === 'sqlite' } = settings;
    const migrate = `${petstore()} db migrate`;
    const isEmptyFile = applied.length === 0 && engine === 'sqlite';
    findings.push(
      migrateOnStart && (!isEmptyFile || serverMayCreate(settings))
        ? degraded(behind(state), `The service applies them at its next start, or run "${migrate}".`, migrate)
        : failed(behind(state), `Run "${migrate}": until then the service does not serve.`, migrate),
    );
  }
  return findings.length > 0 ? findings : [ok(`All ${applied.length} migrations are applied.`)];
}

/** Says which migrations a database lacks. */
export function behind({ applied, pending }: SchemaState): string {
  return `${pending.length} of ${pending.length + applied.length} migrations are pending: ${pending.join(', ')}.`;
}
