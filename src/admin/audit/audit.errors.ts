import { defineError } from '../../platform/errors/app-error';

/** No event has this id. */
export const AuditEventNotFoundError = defineError({
  code: 'audit_event_not_found',
  status: 404,
  message: 'There is no such change.',
  isForOperators: true,
});

/** Events that a reader has not read yet were removed at the end of their retention period. */
export const AuditEventsRemovedError = defineError({
  code: 'audit_events_removed',
  status: 410,
  message: 'Changes after this one have been removed.',
  isForOperators: true,
});
