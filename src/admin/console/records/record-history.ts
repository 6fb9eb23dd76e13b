import type { AdminRecords } from '../../../platform/features/admin-records';
import { viewEntry } from '../../records/history-view';
import type { HistoryEntry as Entry } from '../../records/record-history.service';
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

/** One entry of the history of a record as its page shows it. */
export interface HistoryEntry {
  /** The page about it: about the event of an operator, or the request of a client. */
  readonly path: string;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string | null;
  /** What was done, in a word. */
  readonly title: string;
  /** The operation that a client called; null when an operator did it. */
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** What was changed of a record that was there before and after. */
  readonly changes: readonly FieldChange[];
  /** What a record that was added began with. */
  readonly values: readonly FieldChange[];
}

/** What an entry of a history says of a record of its kind. */
export function historyEntry(view: ValueView, kind: AdminRecords, entry: Entry): HistoryEntry {
  const { event } = entry;
  const { at, actor, actorName, action, operation, requestId, address } = viewEntry(entry);
  const verb = action.slice(action.indexOf('.') + 1);
  const changes = event ? changesOf(view, kind, event) : [];
  return {
    path: event
      ? `/admin/audit/${event.id}`
      : `/admin/requests?request=${encodeURIComponent(requestId ?? '')}`,
    at,
    actor,
    actorName,
    title: VERBS[verb] ?? valueInWords(kind.actions?.[verb]?.done ?? verb),
    operation,
    requestId,
    address,
    // All that a record was or is says less than that it was removed or is back.
    changes: event && event.before !== null && event.after !== null ? changes : [],
    // What an import recorded is of its batch.
    values: event?.before === null && verb !== 'restore' && verb !== 'import' ? changes : [],
  };
}
