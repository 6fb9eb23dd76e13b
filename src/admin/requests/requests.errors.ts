import { defineError } from '../../platform/errors/app-error';

/** The request log has no such request. */
export class LoggedRequestNotFoundError extends defineError({
  code: 'logged_request_not_found',
  status: 404,
  message:
    'The request log does not contain this request: it keeps a sample of successful requests, and all of them only for some days.',
}) {}
