import type { AuditFilter } from '../../platform/audit/audit-events.repository';
import { conditionsOf } from '../../platform/database/statements/where';
import { type AdminFilter, DAYS } from '../../platform/validation/admin-filter';
import { InvalidValueError } from '../../platform/values/written-values';

/** The filters of the audit log, for the console and the commands. */
export const AUDIT_FILTERS: readonly AdminFilter[] = [
  {
    name: 'actor',
    field: 'actor',
    label: 'Actor',
    placeholder: 'Choose or type',
    option: '--actor <name>',
    help: 'the actor: the id of a key, oidc:<subject>, cli:<user> or service',
  },
  {
    name: 'action',
    field: 'action',
    label: 'Action',
    placeholder: 'Choose or type',
    option: '--action <name>',
    help: 'the action, such as keys.revoke',
  },
  {
    name: 'subject',
    field: 'subject',
    label: 'Subject',
    values: { read: parseSubject },
    placeholder: 'pets or pets/7',
    option: '--subject <subject>',
    help: 'the subject: keys, pets/17 or keys/key_0123456789abcdef',
  },
  {
    name: 'from',
    field: 'at',
    operator: 'from',
    label: 'From',
    values: DAYS,
    isMore: true,
    option: '--from <time>',
    help: 'from this time on: 2026-01-31 or 2026-01-31T12:00:00Z',
  },
  {
    name: 'to',
    field: 'at',
    operator: 'before',
    label: 'To',
    values: DAYS,
    isMore: true,
    option: '--to <time>',
    help: 'before this instant',
  },
];

type Subject = Pick<AuditFilter, 'subjectType' | 'subjectId'>;

/** Returns the conditions on events for the values of filters, by their names. */
export function auditFilter(values: Readonly<Record<string, unknown>>): AuditFilter {
  const { subject, ...where } = conditionsOf(AUDIT_FILTERS, values) as AuditFilter & { subject?: Subject };
  return { ...where, ...subject };
}

/** Reads a subject: `keys`, or `keys/key_…` for one key. @throws InvalidValueError */
function parseSubject(text: string): Subject {
  const [, subjectType, , subjectId] = /^([^/]+)(\/(.+))?$/.exec(text) ?? [];
  if (subjectType === undefined) throw new InvalidValueError('Write the subject as pets or pets/17.');
  return { subjectType, subjectId };
}
