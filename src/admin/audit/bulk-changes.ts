import type { AuditEvent } from '../../platform/audit/audit-event.entity';

/** Suffix of the action of an event about a bulk change: `update_all` stands for many times `update`. */
export const BULK_SUFFIX = '_all';

/** Summary that the event about a bulk change gives of its records' changes. */
export interface BulkSummary {
  /** Number of records changed. */
  readonly changed: number;
  /** Values their fields were set to; empty if they differ between records. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The ids of the events about the records, as {@link idRanges} writes them. */
  readonly events: string;
}

/** True of an event about a bulk change as a whole. */
export function isBulk({ action }: Pick<AuditEvent, 'action'>): boolean {
  return action.endsWith(BULK_SUFFIX);
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
  const { changed, events, set } = after ?? {};
  if (!isBulk({ action }) || typeof events !== 'string') return undefined;
  return { changed: Number(changed), events, set: (set ?? {}) as BulkSummary['set'] };
}
