import { defineError } from './app-error';

/** The wire: these may be written before a request object exists (see wire-errors.ts). */
export const BadRequestError = defineError({
  code: 'bad_request',
  status: 400,
  message: 'The request is not valid HTTP.',
  headers: { Connection: 'close' },
});
export const RequestTimeoutError = defineError({
  code: 'request_timeout',
  status: 408,
  message: 'The request did not arrive in time.',
  headers: { Connection: 'close' },
});
export const UriTooLongError = defineError({
  code: 'uri_too_long',
  status: 414,
  message: 'The URL is longer than 8,000 bytes.',
});
export const ExpectationFailedError = defineError({
  code: 'expectation_failed',
  status: 417,
  message: 'Only Expect: 100-continue is supported.',
});
export const HeadersTooLargeError = defineError({
  code: 'headers_too_large',
  status: 431,
  message: 'The header fields are larger than 16 kB.',
  headers: { Connection: 'close' },
});

/** The route. */
export const InvalidPathError = defineError({
  code: 'invalid_path',
  status: 400,
  message: 'The path is not valid percent-encoded UTF-8.',
});
export const NotFoundError = defineError({
  code: 'not_found',
  status: 404,
  message: 'This path does not exist.',
});
export const MethodNotAllowedError = defineError({
  code: 'method_not_allowed',
  status: 405,
  message: 'This path does not support the method; the Allow header lists the methods of this path.',
});

/** Rate limits. */
export const RateLimitedError = defineError({
  code: 'rate_limited',
  status: 429,
  message: 'Too many requests; retry after the seconds in Retry-After.',
  headers: { 'Retry-After': '60' },
});

/** The content. */
export const InvalidRequestError = defineError({
  code: 'invalid_request',
  status: 400,
  message: 'The request has more than one Authorization or Content-Type header.',
});
export const NotAcceptableError = defineError({
  code: 'not_acceptable',
  status: 406,
  message: 'The Accept header excludes application/json, the only media type of the responses.',
});
export const PayloadTooLargeError = defineError({
  code: 'payload_too_large',
  status: 413,
  message: 'The body is larger than 102,400 bytes.',
  headers: { Connection: 'close' },
});
export const UnsupportedMediaTypeError = defineError({
  code: 'unsupported_media_type',
  status: 415,
  message:
    'The body must be JSON in UTF-8, without a content encoding; the Accept header names the supported media types.',
});
export const InvalidJsonError = defineError({
  code: 'invalid_json',
  status: 400,
  message: 'The body is not valid JSON in UTF-8.',
});
export const InvalidBodyError = defineError({
  code: 'invalid_body',
  status: 400,
  message: 'The body must be a JSON object.',
});
export const InvalidFieldError = defineError({
  code: 'invalid_field',
  status: 400,
  message: 'A member of the body is missing or has an invalid value.',
});
export const InvalidParameterError = defineError({
  code: 'invalid_parameter',
  status: 400,
  message: 'A query parameter has an invalid value, or occurs more than once.',
});
export const UnknownParameterError = defineError({
  code: 'unknown_parameter',
  status: 400,
  message: 'The query has an unknown parameter.',
});
export const InvalidCursorError = defineError({
  code: 'invalid_cursor',
  status: 400,
  message: 'The cursor is invalid, or belongs to a list with another filter.',
});

/** Repeated requests. */
export const InvalidIdempotencyKeyError = defineError({
  code: 'invalid_idempotency_key',
  status: 400,
  message:
    'Idempotency-Key must occur once and have 1 to 255 visible ASCII characters, with or without quotes.',
});
export const IdempotencyInProgressError = defineError({
  code: 'idempotency_in_progress',
  status: 409,
  message: 'A request with this Idempotency-Key is still in progress; retry shortly.',
  headers: { 'Retry-After': '1' },
});
export const IdempotencyKeyReusedError = defineError({
  code: 'idempotency_key_reused',
  status: 422,
  message: 'This Idempotency-Key was used with another body; use a new key for a new request.',
});

/** The state of the resource. */
export const PreconditionFailedError = defineError({
  code: 'precondition_failed',
  status: 412,
  message: 'The resource has changed: its ETag is not in the If-Match header.',
});

/** References between resources. */
export const MissingReferenceError = defineError({
  code: 'missing_reference',
  status: 409,
  message: 'A member of the body refers to a record that does not exist.',
});
export const StillReferencedError = defineError({
  code: 'still_referenced',
  status: 409,
  message: 'Other records refer to this record; remove the other records first.',
});

/** Unique values. */
export const DuplicateValueError = defineError({
  code: 'duplicate_value',
  status: 409,
  message: 'Another record already has this value.',
});

/** Deprecated operations. */
export const OperationBrownoutError = defineError({
  code: 'operation_brownout',
  status: 410,
  message:
    'This deprecated operation is switched off for an announced window; retry after the seconds in Retry-After.',
});
export const OperationRemovedError = defineError({
  code: 'operation_removed',
  status: 410,
  message: 'This deprecated operation has been removed; the Link header names the successor.',
});

/** The service. */
export const InternalError = defineError({
  code: 'internal_error',
  status: 500,
  message: 'The service has an unexpected fault; the log has the details under the request id.',
});
export const OverloadedError = defineError({
  code: 'overloaded',
  status: 503,
  message: 'The service has too many requests; retry shortly.',
  headers: { 'Retry-After': '1' },
});
export const ServiceUnavailableError = defineError({
  code: 'service_unavailable',
  status: 503,
  message: 'The service cannot reach its database; retry shortly.',
  headers: { 'Retry-After': '1' },
});
