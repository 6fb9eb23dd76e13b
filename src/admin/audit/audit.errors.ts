import { defineError } from '../../platform/errors/app-error';

/** No event has this id. */
export const AuditEventNotFoundError = defineError({
  code: 'audit_event_not_found',
  status: 404,
  message: 'There is no such change.',
});
