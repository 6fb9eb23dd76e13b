import type { AuditedChange } from '../../platform/audit/audit-log';
import type { AdminRecords } from '../../platform/features/admin-records';
import { BULK_SUFFIX } from '../audit/bulk-changes';
import { idRanges } from '../audit/id-ranges';
import type { RecordValues } from './stored-record';

/** What a bulk change did. */
export interface BulkOutcome {
  /** How many records: those that had the values already are not among them. */
  readonly changed: number;
  /** The event about all of it; undefined when nothing was changed. */
  readonly change: bigint | undefined;
}

/**
 * A change of one record, as it is recorded.
 *
 * @param verb `create`, `update`, `remove`, `restore`, or the name of an action of the module
 */
export function changeOf(
  { name }: AdminRecords,
  verb: string,
  id: bigint,
  before: RecordValues | undefined,
  after: RecordValues | undefined,
): AuditedChange {
  return { action: `${name}.${verb}`, subject: { type: name, id }, before, after };
}

/**
 * Changes of many records that were made as one, all with the same action.
 *
 * @param events the ids of the events about each of them
 * @param details what else is to be known of all of them
 */
export function bulkChangeOf(
  { name }: AdminRecords,
  changes: readonly AuditedChange[],
  events: readonly bigint[],
  details: object,
): AuditedChange {
  const ids = idRanges(changes.map(({ subject }) => BigInt(subject.id)));
  return {
    action: `${changes[0]?.action}${BULK_SUFFIX}`,
    // Not a number, which would be the id of a record.
    subject: { type: name, id: `bulk:${events[0]}` },
    after: { ...details, changed: changes.length, ids, events: idRanges(events) },
  };
}
