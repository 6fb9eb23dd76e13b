import { instantOf } from '../../../platform/request-log/logged-request-id';
import { type AuditEntry, viewEvent } from '../../audit/audit-trail.service';
import type { HistoryEntry, HistoryPage, HistoryPosition } from './record-history.service';

/** An action of an operator or a client on a record. The members are stable: scripts read them. */
export interface HistoryView extends Omit<AuditEntry, 'id'> {
  /** Id of the event in the audit log; null for a client. */
  readonly id: bigint | null;
  /** The operation that the client called; null for an operator. */
  readonly operation: string | null;
}

/**
 * Converts an entry of a history to the view that operators read. A client's change only refers to its request: the values
 * before and after are not kept.
 */
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
    whole: null,
    operation,
  };
}

/** Describes the gap of a history in a sentence. */
export function unknownInWords(unknown: NonNullable<HistoryPage['unknown']>): string {
  return unknown === 'everything'
    ? 'Changes by API clients are not kept: RECORD_HISTORY_DAYS is 0.'
    : `Changes by API clients are only known since ${unknown.toISOString()}.`;
}

/** Writes a position in a history for people and addresses: `812.7236428812345344`. */
export function positionText({ event, change }: HistoryPosition): string {
  return `${event}.${change}`;
}

/** Reads the text of {@link positionText}; undefined for other texts. */
export function readHistoryPosition(text: string): HistoryPosition | undefined {
  const [, event, change] = /^(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
  if (event === undefined || change === undefined) return undefined;
  return { event: BigInt(event), change: BigInt(change) };
}
