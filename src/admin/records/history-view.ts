import { instantOf } from '../../platform/request-log/logged-request-id';
import { type AuditEntry, viewEvent } from '../audit/audit-trail.service';
import type { HistoryEntry, HistoryPage, HistoryPosition } from './record-history.service';

/** What was done to a record, by an operator or by a client. The members are stable: scripts read them. */
export interface HistoryView extends Omit<AuditEntry, 'id'> {
  /** Of the event in the audit log; null when a client did it. */
  readonly id: bigint | null;
  /** The operation that the client called; null when an operator did it. */
  readonly operation: string | null;
}

/** An entry of a history as operators read it. What a client did is known by its request: the values before and after are not kept. */
export function viewEntry({ event, change }: HistoryEntry): HistoryView {
  if (event) return { ...viewEvent(event), operation: null };
  const { id, kind, recordId, verb, operation, keyId, requestId, address } = change;
  return {
    id: null,
    at: instantOf(id).toISOString(),
    actor: keyId ?? 'client',
    action: `${kind}.${verb}`,
    subjectType: kind,
    subjectId: String(recordId),
    before: null,
    after: null,
    requestId,
    address,
    actorName: null,
    operation,
  };
}

/** What a history does not know, in a sentence. */
export function unknownInWords(unknown: NonNullable<HistoryPage['unknown']>): string {
  return unknown === 'everything'
    ? 'What API clients do is not kept: RECORD_HISTORY_DAYS is 0.'
    : `What API clients did is not known further back than ${unknown.toISOString()}.`;
}

/** A place in a history as people and addresses carry it: `812.7236428812345344`. */
export function positionText({ event, change }: HistoryPosition): string {
  return `${event}.${change}`;
}

/** Reads what {@link positionText} has written; undefined for other texts. */
export function readPosition(text: string): HistoryPosition | undefined {
  const [, event, change] = /^(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
  if (event === undefined || change === undefined) return undefined;
  return { event: BigInt(event), change: BigInt(change) };
}
