import { type Commitment, subjectText } from '../../../platform/audit/committed-event';
import type { ChainFault } from './chain-faults';
import { readableInstant, type StoredAuditEvent } from './seal';

/** A commitment with its event and the position of that in the chain. */
export interface SealedCommitment extends Commitment {
  readonly event: StoredAuditEvent;
  readonly sequence: bigint;
}

/** The fault of a value that is not the one that was committed to, or whose key is another. */
export function valueChanged(of: SealedCommitment): ChainFault {
  return valueFault(
    'changed',
    of,
    `does not match its commitment: it or the key of ${nameOf(of)} was changed`,
  );
}

export function valueMissing(of: SealedCommitment): ChainFault {
  return valueFault('missing', of, `is missing, and no erasure of ${nameOf(of)} came after it`);
}

/** The fault of a value that cannot be read: after a restore the key may be in the file of keys. */
export function keyMissing(of: SealedCommitment): ChainFault {
  return valueFault(
    'missing',
    of,
    `cannot be read: the key of ${nameOf(of)} is missing, and no erasure came after it`,
  );
}

/** The fault of a value that an erasure deleted. */
export function valueReturned(of: SealedCommitment, erasure: bigint): ChainFault {
  return valueFault('unsealed', of, `is there again, although event ${erasure} erased ${nameOf(of)}`);
}

/** The fault of a value that its event has no commitment to. */
export function valueInserted(event: StoredAuditEvent, sequence: bigint, member: string): ChainFault {
  const of = { event, sequence, member };
  return valueFault('unsealed', of, 'has no commitment in the event: it was inserted, or moved');
}

function valueFault(
  kind: ChainFault['kind'],
  { event, sequence, member }: Pick<SealedCommitment, 'event' | 'sequence' | 'member'>,
  predicate: string,
): ChainFault {
  const at = readableInstant(event.at);
  const message = `The personal value ${member} of event ${event.id} of ${at} ${predicate}.`;
  return { kind, sequence, eventId: event.id, at, message };
}

function nameOf({ subject }: Commitment): string {
  return subjectText(subject);
}
