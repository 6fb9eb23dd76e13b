import type { ImportRun } from './import-run.entity';

type Hold = Pick<ImportRun, 'holder' | 'heldUntil'>;

/** Holder that older versions, which know no jobs, take for a process of another machine. */
const JOBS = 'jobs';

/** Keeps processes of older versions away from a run. */
export const HELD_FROM_OLDER: Hold = { holder: JOBS, heldUntil: new Date('9999-12-31T00:00:00.000Z') };

/** Leaves a run to whoever comes next. */
export const HELD_BY_NOBODY: Hold = { holder: null, heldUntil: new Date(0) };

/** True if a process of an older version seems to work on a run. */
export function isHeldByOlder({ holder, heldUntil }: Hold): boolean {
  return holder !== null && holder !== JOBS && heldUntil.getTime() > Date.now();
}
