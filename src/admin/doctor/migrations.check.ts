import { petstore } from '../../platform/config/called-as';
import { findMigrationProblems } from '../../platform/database/schema/migration-problems';
import { serverMayCreate } from '../../platform/database/driver/missing-database';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';
import { isServer } from './database.check';

/** Checks that the database has every migration of this build, and none that it does not know. */
export const MIGRATIONS: DoctorCheck = {
  name: 'migrations',
  limitMs: 10_000,
  async run(context) {
    const dataSource = await context.database();
    const { applied, pending, unknown } = await readSchemaState(dataSource);
    const findings: Finding[] = [];
    if (unknown.length > 0) {
      const found = `A newer version has migrated the database: ${unknown.join(', ')} is unknown to this version.`;
      findings.push(
        isServer(dataSource)
          ? warn(found, 'Finish the rollout of the newer version.')
          : fail(found, 'Start the newer version: this version refuses the file.'),
      );
    }
    if (pending.length > 0) {
      const found = `${pending.length} of ${pending.length + applied.length} migrations are pending: ${pending.join(', ')}.`;
      const { migrateOnStart = !isServer(dataSource) } = context.settings;
      const migrate = `${petstore()} db migrate`;
      const isEmptyFile = applied.length === 0 && !isServer(dataSource);
      findings.push(
        migrateOnStart && (!isEmptyFile || serverMayCreate(context.settings))
          ? warn(found, `The service applies them at its next start, or run "${migrate}".`, migrate)
          : fail(found, `Run "${migrate}": until then the service does not serve.`, migrate),
      );
    }
    for (const problem of (await findMigrationProblems(dataSource, pending)).values()) {
      findings.push(
        fail(problem, 'Fix the rows by SQL, or while the previous version runs, then migrate again.'),
      );
    }
    return findings.length > 0 ? findings : [ok(`All ${applied.length} migrations are applied.`)];
  },
};
