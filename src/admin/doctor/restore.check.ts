import { petstore } from '../../platform/config/called-as';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { DRILL_EVERY_MS, DrillLog } from '../database/drill-log.service';
import { type DoctorCheck, ok, warn } from './check';

const advice = () => `Run "${petstore()} db drill" on a backup.`;

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
    if (!last) return [warn('No drill has ever restored a backup.', advice())];
    const found = `A drill restored a backup on ${last.toISOString().slice(0, 10)}.`;
    return [Date.now() - last.getTime() > DRILL_EVERY_MS ? warn(found, advice()) : ok(found)];
  },
};
