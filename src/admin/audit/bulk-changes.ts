import type { AuditEvent } from '../../platform/audit/audit-event.entity';

/** What the verb of the event about a bulk change ends with: `update_all` is about many times `update`. */
export const BULK_SUFFIX = '_all';

/** What the event about a bulk change says of the changes of the records. */
export interface BulkSummary {
  /** How many records were changed. */
  readonly changed: number;
  /** What their fields were set to; empty where it was not the same for all. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The ids of the events about the records, as {@link idRanges} writes them. */
  readonly events: string;
}

/** Whether an event is about a bulk change as a whole. */
export function isBulk({ action }: Pick<AuditEvent, 'action'>): boolean {
  return action.endsWith(BULK_SUFFIX);
}

/** What was done to each record of a bulk change, as `pets.update`. */
export function actionOfEach({ action }: Pick<AuditEvent, 'action'>): string {
  return isBulk({ action }) ? action.slice(0, -BULK_SUFFIX.length) : action;
}

/** What the event about a bulk change says; undefined of any other. */
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
