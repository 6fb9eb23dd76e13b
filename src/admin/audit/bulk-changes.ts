import { parseDecimalInt64 } from '../../platform/values/int64';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';

/** Suffix of the action of an event about a bulk change: `update_all` stands for many times `update`. */
export const BULK_SUFFIX = '_all';

/** Summary that the event about a bulk change gives of its records' changes. */
export interface BulkSummary {
  /** Number of records changed, by all parts of the change up to this event. */
  readonly changed: number;
  /** Values their fields were set to; empty if they differ between records. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The id of the record, if it is one alone. */
  readonly ids?: string | undefined;
}

/** True of an event about a bulk change as a whole. */
export function isBulk({ action }: Pick<AuditEvent, 'action'>): boolean {
  return action.endsWith(BULK_SUFFIX);
}

/** True of an event about many records: of a bulk change, an import, or its undo. */
export function isOfMany(event: Pick<AuditEvent, 'action'>): boolean {
  return isBulk(event) || event.action.endsWith('.import');
}

/** Beginning of the subject id of events about an import: `import:12`. */
const OF_IMPORT = 'import:';

/** True of an event about an import or its undo: one of those about its batches, which all have the same subject. */
export function isOfImport({ subjectId = '' }: Partial<Pick<AuditEvent, 'subjectId'>>): boolean {
  return subjectId.startsWith(OF_IMPORT);
}

/** Beginning of the subject id of events about a bulk change: `bulk:345`, by the event that stands for it. */
export const OF_BULK = 'bulk:';

/** The subject id of a bulk change. It is no number, which would be the id of a record. */
export function bulkSubject(whole: bigint): string {
  return `${OF_BULK}${whole}`;
}

/** True of an event about a part of an import, of its undo or of a bulk change: those about all parts have the same subject. */
export function isOfParts(event: Partial<Pick<AuditEvent, 'subjectId'>>): boolean {
  return isOfImport(event) || event.subjectId?.startsWith(OF_BULK) === true;
}

/** The number of the import that an event is about. */
export function importOf(event: Pick<AuditEvent, 'subjectId'>): bigint | undefined {
  return isOfImport(event) ? parseDecimalInt64(event.subjectId.slice(OF_IMPORT.length)) : undefined;
}

/** Summary of an import in the event about one of its batches. */
export interface ImportSummary {
  readonly file: string;
  /** Number of records that the import added so far. */
  readonly imported: number;
}

/** The summary in an event about an import; undefined for any other event. */
export function importSummary({
  action,
  after,
}: {
  readonly action: string;
  readonly after: Readonly<Record<string, unknown>> | null;
}): ImportSummary | undefined {
  const { file, runImported } = after ?? {};
  if (!action.endsWith('.import') || typeof file !== 'string' || runImported === undefined) return undefined;
  return { file, imported: Number(runImported) };
}

/**
 * Names what an undo took back, `import 7` or `change 12`, from the event about all of them; undefined for any other
 * event.
 */
export function undoneInWords({
  action,
  after,
}: {
  readonly action: string;
  readonly after: Readonly<Record<string, unknown>> | null;
}): string | undefined {
  const { undoes } = after ?? {};
  if (!isBulk({ action })) return undefined;
  if (typeof undoes === 'bigint' || typeof undoes === 'number') return `change ${undoes}`;
  const run = typeof undoes === 'string' ? importOf({ subjectId: undoes }) : undefined;
  return run === undefined ? undefined : `import ${run}`;
}

/** The action on each record of a bulk change, for example `pets.update`; any other action unchanged. */
export function actionOfEach({ action }: Pick<AuditEvent, 'action'>): string {
  return isBulk({ action }) ? action.slice(0, -BULK_SUFFIX.length) : action;
}

/** The summary in an event about a bulk change; undefined for any other event. */
export function bulkSummary({
  action,
  after,
}: {
  readonly action: string;
  readonly after: Readonly<Record<string, unknown>> | null;
}): BulkSummary | undefined {
  const { changed, runChanged = changed, ids, set } = after ?? {};
  if (!isBulk({ action }) || changed === undefined) return undefined;
  return {
    changed: Number(runChanged),
    ids: typeof ids === 'string' ? ids : undefined,
    set: (set ?? {}) as BulkSummary['set'],
  };
}
