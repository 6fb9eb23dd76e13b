import { encodeCursor } from '../values/cursor';
import type { Deprecation } from '../deprecation/deprecated-operation.decorator';
import type { Operation } from '../http/operations/operation';
import { deprecationAddress } from '../deprecation/deprecations';
import { BASE_PATH } from '../values/operation-path';

/** A header field in the document. */
export interface DocumentedHeader {
  readonly description: string;
  readonly schema: { readonly type: 'string' };
  readonly example: string;
}

function header(description: string, example: string): DocumentedHeader {
  return { description, schema: { type: 'string' }, example };
}

const REQUEST_ID = header(
  'Identifies the request in the logs of the service; taken from the request when it sent one.',
  '4d5c1a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
);
const ETAG = header(
  'Entity tag of the answer; send it as `If-None-Match` and an unchanged answer is a 304 without a body (RFC 9110).',
  '"Q2x0b2hUYWc5U3Ryb25nRVRhZzE"',
);
const WWW_AUTHENTICATE = header('How to authenticate (RFC 6750).', 'Bearer realm="petstore"');

/** Returns the header fields of an operation's responses with a given status. */
export function headersOf(operation: Operation, status: string): Record<string, DocumentedHeader> {
  const { response } = operation;
  return {
    ...(operation.deprecation && deprecationHeaders(operation, operation.deprecation)),
    ...(status === '200' && response && { ETag: ETAG }),
    ...(status === '200' && response?.kind === 'page' && { Link: pageLink(operation) }),
    ...(status === '201' &&
      response && {
        Location: header('Path of what was created (RFC 9110).', `${operation.path}/1`),
      }),
    ...(status === '401' && { 'WWW-Authenticate': WWW_AUTHENTICATE }),
    'X-Request-Id': REQUEST_ID,
  };
}

function pageLink({ path }: Operation): DocumentedHeader {
  return header(
    'Links to the next page (`rel="next"`), while there is more, and from a later page back to the first (`rel="first"`) (RFC 8288).',
    `<https://api.example.com${path}?limit=20&cursor=${encodeCursor(20n, {})}>; rel="next"`,
  );
}

function deprecationHeaders(operation: Operation, { since, sunset, successor }: Deprecation) {
  const page = `<${deprecationAddress(operation)}>`;
  return {
    Deprecation: header('Since when the operation is deprecated (RFC 9745).', `@${since.getTime() / 1000}`),
    Sunset: header('When the operation is to be removed (RFC 8594).', sunset.toUTCString()),
    Link: header(
      'Where the deprecation and the removal are explained, and what to use instead (RFC 8288).',
      `${page}; rel="deprecation"; type="text/html", ${page}; rel="sunset"; type="text/html", <${BASE_PATH}${successor}>; rel="successor-version"`,
    ),
  };
}
