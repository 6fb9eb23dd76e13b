import type { AuditEvent } from './audit-event.entity';

/** Action of the event about an erasure. Its subject is the one whose personal values in events before it are erased. */
export const ERASURE_ACTION = 'audit.erase';

/** Facts of the event with which an erasure begins that deletes values batch by batch; another event is about its end. */
export const BEGIN_OF_ERASURE = { isFinished: false } as const;

/** True of an event of an erasure that has {@link BEGIN_OF_ERASURE}. Text within its reason has escaped quotation marks. */
export function isBeginOfErasure({ after }: Pick<AuditEvent, 'after'>): boolean {
  return after?.includes('"isFinished":false') ?? false;
}
