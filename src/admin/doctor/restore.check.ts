import { petstore } from '../../platform/config/called-as';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { DRILL_EVERY_MS, DrillLog } from '../database/drill-log.service';
import { type DoctorCheck, type Finding, ok, warn } from './check';

function advised(found: string): Finding {
  const drill = `${petstore()} db drill`;
  return warn(found, `Run "${drill}" on a backup.`, drill);
}

/** Checks that a backup was restored in a drill, where there are backups or should be. */
export const RESTORE: DoctorCheck = {
  name: 'restore',
  limitMs: 15_000,
  async run(context) {
    const { nodeEnv, backupPath } = context.settings;
    if (backupPath === undefined && nodeEnv !== 'production') return [];
    const { pending } = await readSchemaState(await context.database());
    // Opening the modules would migrate a SQLite file.
    if (pending.length > 0) return [];
    const last = await context.cli.withApp(
      (app) => app.get(DrillLog, { strict: false }).lastPassed(),
      undefined,
      { changesNothing: true },
    );
    if (!last) return [advised('No drill has ever restored a backup.')];
    const found = `A drill restored a backup on ${last.toISOString().slice(0, 10)}.`;
    return [Date.now() - last.getTime() > DRILL_EVERY_MS ? advised(found) : ok(found)];
  },
};
