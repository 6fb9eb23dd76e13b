import type { AuditFilter } from '../../../platform/audit/audit-events.repository';
import { startOfDay } from '../../../platform/values/text-formats';
import { endOfDay } from '../days';

/** What an address asks of the record of changes. */
export interface AuditQuery {
  /** As typed, by the names of the fields. */
  readonly values: Readonly<Record<'actor' | 'action' | 'subject' | 'from' | 'to', string>>;
  /** What is wrong with a field; such a one does not count. */
  readonly errors: Readonly<Partial<Record<'from' | 'to', string>>>;
  readonly filter: AuditFilter;
  /** Only events older than the one with this id. */
  readonly before: bigint | undefined;
}

const DAY_FAULT = 'Write the day as 2027-01-31.';

/** Reads the filters of an address. A subject is `keys`, or `keys/key_…` for one of them. */
export function readAuditQuery(query: URLSearchParams): AuditQuery {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  const values = {
    actor: text('actor'),
    action: text('action'),
    subject: text('subject'),
    from: text('from'),
    to: text('to'),
  };
  const slash = values.subject.indexOf('/');
  const subjectType = slash < 0 ? values.subject : values.subject.slice(0, slash);
  const subjectId = slash < 0 ? '' : values.subject.slice(slash + 1);
  const from = startOfDay(values.from);
  const to = endOfDay(values.to);
  const before = query.get('before') ?? '';
  return {
    values,
    errors: { ...(values.from && !from && { from: DAY_FAULT }), ...(values.to && !to && { to: DAY_FAULT }) },
    filter: {
      actor: values.actor || undefined,
      action: values.action || undefined,
      subjectType: subjectType || undefined,
      subjectId: subjectId || undefined,
      from,
      to,
    },
    before: readEventId(before),
  };
}

/** The id of an event. @returns undefined for what is none */
export function readEventId(text: string): bigint | undefined {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;
}
