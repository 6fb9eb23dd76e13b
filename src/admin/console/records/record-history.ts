import type { AdminRecords } from '../../../platform/features/admin-records';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { changesOf, type FieldChange } from './record-changes';
import type { ValueView } from './value-html';
import { valueInWords } from '../ui/text';

/** What the verbs of actions are called in a history. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'Added',
  import: 'Imported',
  update: 'Changed',
  remove: 'Removed',
  restore: 'Restored',
};

/** One event as the history of a record shows it. */
export interface HistoryEntry {
  /** The page about the event. */
  readonly path: string;
  readonly at: Date;
  readonly actor: string;
  readonly actorName: string | null;
  /** What was done, in a word. */
  readonly title: string;
  readonly requestId: string | null;
  readonly address: string | null;
  /** What was changed of a record that was there before and after. */
  readonly changes: readonly FieldChange[];
  /** What a record that was added began with. */
  readonly values: readonly FieldChange[];
}

/** What an event says of a record of its kind. */
export function historyEntry(view: ValueView, kind: AdminRecords, event: AuditEvent): HistoryEntry {
  const verb = event.action.slice(event.action.indexOf('.') + 1);
  const changes = changesOf(view, kind, event);
  return {
    path: `/admin/audit/${event.id}`,
    at: event.at,
    actor: event.actor,
    actorName: event.actorName,
    title: VERBS[verb] ?? valueInWords(kind.actions?.[verb]?.done ?? verb),
    requestId: event.requestId,
    address: event.address,
    // All that a record was or is says less than that it was removed or is back.
    changes: event.before !== null && event.after !== null ? changes : [],
    // What an import recorded is of its batch.
    values: event.before === null && verb !== 'restore' && verb !== 'import' ? changes : [],
  };
}
