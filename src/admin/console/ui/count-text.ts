import type { AdminRecords } from '../../../platform/features/admin-records';
import { manyOf } from '../../records/record-names';

/** Limit to which the rows of a list are counted: counting reads every row that it counts. */
export const MAX_COUNT = 10_000;

/** Formats a number of records: `1 pet`, `42 pets`, `More than 10,000 pets`. */
export function countText(
  recordType: Pick<AdminRecords, 'name' | 'one'>,
  count: number,
  limit = MAX_COUNT,
): string {
  if (count > limit) return `More than ${limit.toLocaleString('en')} ${manyOf(recordType)}`;
  return count === 1 ? `1 ${recordType.one}` : `${count.toLocaleString('en')} ${manyOf(recordType)}`;
}
