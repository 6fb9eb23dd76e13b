import type { CheckContext } from '../../platform/cli/cli';
import { petstore } from '../../platform/config/called-as';
import { DRILL_EVERY_MS, DrillLog } from './drill-log.service';
import { type Check, degraded, type Finding, ok } from '../../platform/health/check';

function advised(found: string): Finding {
  const drill = `${petstore()} db drill`;
  return degraded(found, `Run "${drill}" on a backup.`, drill);
}

/** Checks that a backup was restored in a drill, where there are backups or should be. */
export const RESTORE: Check<CheckContext> = {
  name: 'restore',
  needs: 'service',
  limitMs: 15_000,
  async check({ settings: { nodeEnv, backupPath }, service }) {
    if (backupPath === undefined && nodeEnv !== 'production') return [];
    const last = await (await service()).get(DrillLog).lastPassed();
    if (!last) return advised('No drill has ever restored a backup.');
    const found = `A drill restored a backup on ${last.toISOString().slice(0, 10)}.`;
    return Date.now() - last.getTime() > DRILL_EVERY_MS ? advised(found) : ok(found);
  },
};
