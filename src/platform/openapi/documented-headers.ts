import { deprecationHeaders } from '../deprecation/deprecations';
import type { AppErrorClass } from '../errors/app-error';
import { IdempotencyInProgressError, IdempotencyKeyReusedError } from '../errors/http-errors';
import type { Operation } from '../http/operations/operation';
import { DEFAULT_POLICY, WINDOW_S } from '../rate-limit/rate-limit-policy';
import type { ServiceAddress } from '../values/service-address';

/** A header field in the document. */
export interface DocumentedHeader {
  readonly description: string;
  readonly schema: { readonly type: 'string' };
  readonly example?: string;
}

function header(description: string, example?: string): DocumentedHeader {
  return { description, schema: { type: 'string' }, ...(example !== undefined && { example }) };
}

const REQUEST_ID = header(
  'Identifies the request in the logs of the service; taken from the request when it sent one.',
  '4d5c1a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
);
const ETAG = header(
  'Entity tag of the response; send it as `If-None-Match` and an unchanged response is a 304 without a body (RFC 9110).',
  '"Q2x0b2hUYWc5U3Ryb25nRVRhZzE"',
);
const WWW_AUTHENTICATE = header('How to authenticate (RFC 6750).', 'Bearer realm="petstore"');

// No example: tools would send the cursor in it, which is refused with other filters or another order.
const PAGE_LINK = header(
  'Links to the next page (`rel="next"`), while there is more, and from a later page back to the first (`rel="first"`) (RFC 8288).',
);

const RETRY_AFTER = header('Seconds after which to repeat the request, where that may help (RFC 9110).', '1');
const REPLAYED = header(
  '`true` where this is the response of an earlier request with the same `Idempotency-Key`.',
  'true',
);

/** Requests in a minute that the examples of the common limit have. */
const EXAMPLE_PER_MINUTE = 600;

/**
 * Returns the header fields of an operation's responses with a given status.
 *
 * @param errors those that the operation has with this status
 */
export function headersOf(
  operation: Operation,
  status: string,
  errors: readonly AppErrorClass[],
  address: ServiceAddress,
): Record<string, DocumentedHeader> {
  const { response, isPublic } = operation;
  const isRepresentation = response && (status === '200' || status === '304');
  return {
    ...documentedDeprecation(operation, address),
    ...(isRepresentation && { ETag: ETAG }),
    ...(isRepresentation && response.kind === 'page' && { Link: PAGE_LINK }),
    ...(status === '201' &&
      response && {
        Location: header('Path of what was created (RFC 9110).', `${address.prefix}${operation.path}/1`),
      }),
    ...(errors.some(({ declaration }) => declaration.headers?.['Retry-After']) && {
      'Retry-After': RETRY_AFTER,
    }),
    ...(isKept(operation, status) && { 'Idempotency-Replayed': REPLAYED }),
    // Requests are counted once their key is known.
    ...(!isPublic && status !== '401' && documentedRateLimit(operation)),
    ...(status === '401' && { 'WWW-Authenticate': WWW_AUTHENTICATE }),
    'X-Request-Id': REQUEST_ID,
  };
}

/** Tells whether a response with this status may be kept for an `Idempotency-Key`: that of the work, or its refusal. */
function isKept({ isIdempotent, response, errors }: Operation, status: string): boolean {
  const ofWork = errors.filter(
    ({ error }) => error !== IdempotencyInProgressError && error !== IdempotencyKeyReusedError,
  );
  const statuses = [response?.status, ...ofWork.map(({ error }) => error.declaration.status)];
  return isIdempotent && statuses.map(String).includes(status);
}

function documentedRateLimit({ rateLimit }: Operation) {
  const { name, perMinute } = rateLimit ?? { name: DEFAULT_POLICY, perMinute: EXAMPLE_PER_MINUTE };
  return {
    RateLimit: header(
      'Requests that remain (`r`), and seconds until the count starts again (`t`); where the key has a limit (draft-ietf-httpapi-ratelimit-headers-10).',
      `"${name}";r=${perMinute - 1};t=${WINDOW_S}`,
    ),
    'RateLimit-Policy': header(
      'Requests (`q`) in a window of so many seconds (`w`); where the key has a limit (draft-ietf-httpapi-ratelimit-headers-10).',
      `"${name}";q=${perMinute};w=${WINDOW_S}`,
    ),
  };
}

function documentedDeprecation(operation: Operation, address: ServiceAddress) {
  const fields = deprecationHeaders(operation, address);
  return (
    fields && {
      Deprecation: header('Since when the operation is deprecated (RFC 9745).', fields.Deprecation),
      Sunset: header('When the operation is to be removed (RFC 8594).', fields.Sunset),
      Link: header(
        'Where the deprecation and the removal are explained, and what to use instead (RFC 8288).',
        fields.Link,
      ),
    }
  );
}
