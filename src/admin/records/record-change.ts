import type { AuditedChange, ChangeOfMany } from '../../platform/audit/audit-log';
import type { AdminRecords } from '../../platform/features/admin-records';
import { BULK_SUFFIX, bulkSubject } from '../audit/bulk-changes';
import { idRanges } from '../audit/id-ranges';
import { personalFields } from './record-fields';
import type { RecordValues } from './stored-record';

/** A record that a bulk change or an undo left alone, because it was no longer as it had to be, or the feature refused it. */
export interface LeftAlone {
  readonly id: bigint;
  readonly because: 'changed' | 'removed' | 'refused';
  /** The feature's reason if it refused. */
  readonly reason?: string;
}

/** The change of many records that were changed as one. */
export interface RecordedBulk {
  /** Number of changed records: those that had the values already do not count. */
  readonly changed: number;
  /** The id of the event about the whole change; undefined if nothing was changed. */
  readonly change: bigint | undefined;
}

/** The result of a bulk change. */
export interface BulkOutcome extends RecordedBulk {
  readonly leftAlone: readonly LeftAlone[];
  /** The reason why the change ended before its end, with whole pieces done; unset if it did not. */
  readonly stopped?: string;
}

/**
 * The audited change of one record.
 *
 * @param verb `create`, `update`, `remove`, `restore`, or the name of an action of the module
 */
export function changeOf(
  { name, record }: AdminRecords,
  verb: string,
  id: bigint,
  before: RecordValues | undefined,
  after: RecordValues | undefined,
): AuditedChange {
  const personal = personalFields(record);
  return { action: `${name}.${verb}`, subject: { type: name, id }, before, after, personal };
}

/**
 * The audited change of many records that were changed as one, all with the same action, or of a part of them.
 *
 * @param whole the event that stands for the whole, unless this is the first part
 * @param details further content of the event about all of them
 */
export function bulkChangeOf(
  { name }: AdminRecords,
  changes: readonly AuditedChange[],
  whole: bigint | undefined,
  details: object,
): ChangeOfMany {
  const ids = idRanges(changes.map(({ subject }) => BigInt(subject.id)));
  return {
    changes,
    whole,
    together: (one, events) => ({
      action: `${changes[0]?.action}${BULK_SUFFIX}`,
      subject: { type: name, id: bulkSubject(one) },
      // Nodes of 1.2.0 find the records' events by their ids.
      after: { ...details, changed: changes.length, ids, events: idRanges(events) },
    }),
  };
}

/**
 * The audited removal of records that an import added: of so many of them as one transaction removes, which may be none.
 *
 * @param run the import
 * @param whole the event that stands for the whole undo, unless this is its first part
 * @param details further content of the event about all of them
 */
export function undoneImportOf(
  recordType: AdminRecords,
  run: bigint,
  changes: readonly AuditedChange[],
  whole: bigint | undefined,
  details: object,
): ChangeOfMany {
  const { name: type } = recordType;
  const removal = bulkChangeOf(recordType, changes, whole, { undoes: importSubject(run), ...details });
  const about = { action: undoOfImport(type), subject: { type, id: importSubject(run) } };
  return { ...removal, together: (...ids) => ({ ...removal.together(...ids), ...about }) };
}

/** The action of the events about the undo of an import. */
export function undoOfImport(recordType: string): string {
  return `${recordType}.remove${BULK_SUFFIX}`;
}

/** The id, among the subjects of audit events, of a run of an import. It is no number, which would be the id of a record. */
export function importSubject(run: bigint): string {
  return `import:${run}`;
}

/** Returns a patch without what it says of people: the events about each record have it, where it can be erased. */
export function impersonal({ record }: AdminRecords, patch: object): object {
  const personal = personalFields(record);
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !personal.includes(name)));
}
