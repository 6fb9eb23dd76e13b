import type { AdminRecords } from '../../platform/features/admin-records';
import { inWords } from './record-fields';

type Named = Pick<AdminRecords, 'name'>;

/** The plural of a record type within a sentence: `order items`. */
export function manyOf({ name }: Named): string {
  return name.replaceAll('-', ' ');
}

/** The plural of a record type at the beginning of a line: `Order items`. */
export function titleOf(recordType: Named): string {
  return inWords(manyOf(recordType));
}
