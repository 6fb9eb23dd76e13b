import { defineError } from './app-error';

/** The wire: these may be written before a request object exists (see wire-errors.ts). */
export const BadRequestError = defineError({
  code: 'bad_request',
  status: 400,
  message: 'The request is not well-formed HTTP.',
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
  message: 'The request target is longer than 8,000 bytes.',
});
export const ExpectationFailedError = defineError({
  code: 'expectation_failed',
  status: 417,
  message: 'The only expectation this service meets is 100-continue.',
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
  message: 'Nothing is served at this path.',
});
export const MethodNotAllowedError = defineError({
  code: 'method_not_allowed',
  status: 405,
  message: 'This path does not support the method; the Allow header lists those it does.',
});

/** Rate limits. */
export const RateLimitedError = defineError({
  code: 'rate_limited',
  status: 429,
  message: 'There have been too many requests; the Retry-After header says when to go on.',
  headers: { 'Retry-After': '60' },
});

/** The content. */
export const InvalidRequestError = defineError({
  code: 'invalid_request',
  status: 400,
  message: 'The Authorization header and the Content-Type header may each be given only once.',
});
export const NotAcceptableError = defineError({
  code: 'not_acceptable',
  status: 406,
  message: 'This service answers in application/json only; the Accept header excludes it.',
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
    'The body must be JSON in UTF-8, without a content encoding; the Accept header names its media types.',
});
export const InvalidJsonError = defineError({
  code: 'invalid_json',
  status: 400,
  message: 'The body is not one well-formed JSON value in UTF-8.',
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
  message: 'A query parameter has an invalid value or is repeated.',
});
export const UnknownParameterError = defineError({
  code: 'unknown_parameter',
  status: 400,
  message: 'The query has a parameter this operation does not know.',
});
export const InvalidCursorError = defineError({
  code: 'invalid_cursor',
  status: 400,
  message: 'The cursor is malformed or belongs to a list with another filter.',
});

/** Repeated requests. */
export const InvalidIdempotencyKeyError = defineError({
  code: 'invalid_idempotency_key',
  status: 400,
  message: 'Idempotency-Key must be given once, with 1 to 255 visible ASCII characters, bare or in quotes.',
});
export const IdempotencyInProgressError = defineError({
  code: 'idempotency_in_progress',
  status: 409,
  message: 'A request with this Idempotency-Key is still under way; ask again shortly.',
  headers: { 'Retry-After': '1' },
});
export const IdempotencyKeyReusedError = defineError({
  code: 'idempotency_key_reused',
  status: 422,
  message: 'This Idempotency-Key came with another body before; take a new one for a new request.',
});

/** The state of the resource. */
export const PreconditionFailedError = defineError({
  code: 'precondition_failed',
  status: 412,
  message: 'The resource has changed: its entity tag is none of those in the If-Match header.',
});

/** References between resources. */
export const MissingReferenceError = defineError({
  code: 'missing_reference',
  status: 409,
  message: 'A member of the body refers to something that does not exist.',
});
export const StillReferencedError = defineError({
  code: 'still_referenced',
  status: 409,
  message: 'Something else still refers to this; remove that first.',
});

/** Unique values. */
export const DuplicateValueError = defineError({
  code: 'duplicate_value',
  status: 409,
  message: 'A member of the body must be unique, and another one has its value.',
});

/** Deprecated operations. */
export const OperationBrownoutError = defineError({
  code: 'operation_brownout',
  status: 410,
  message: 'This deprecated operation is switched off for an announced window; Retry-After says until when.',
});
export const OperationRemovedError = defineError({
  code: 'operation_removed',
  status: 410,
  message: 'This deprecated operation has been removed; the Link header names its successor.',
});

/** The service. */
export const InternalError = defineError({
  code: 'internal_error',
  status: 500,
  message: 'The service met an unexpected fault; the request id identifies it in the log.',
});
export const OverloadedError = defineError({
  code: 'overloaded',
  status: 503,
  message: 'There are more requests than the service can respond to in time; try again shortly.',
  headers: { 'Retry-After': '1' },
});
export const ServiceUnavailableError = defineError({
  code: 'service_unavailable',
  status: 503,
  message: 'The service cannot reach its database at the moment; try again shortly.',
  headers: { 'Retry-After': '1' },
});
