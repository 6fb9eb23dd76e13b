import type { AdminRecords } from '../../../platform/features/admin-records';
import { manyOf } from '../records/record-paths';

/** Up to how many of what a list shows are counted: counting reads what it counts. */
export const MAX_COUNT = 10_000;

/** `1 pet`, `42 pets`, `More than 10,000 pets`. */
export function countText(
  kind: Pick<AdminRecords, 'name' | 'one'>,
  count: number,
  limit = MAX_COUNT,
): string {
  if (count > limit) return `More than ${limit.toLocaleString('en')} ${manyOf(kind)}`;
  return count === 1 ? `1 ${kind.one}` : `${count.toLocaleString('en')} ${manyOf(kind)}`;
}
