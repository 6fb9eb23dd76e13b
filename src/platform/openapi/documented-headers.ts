import type { Operation } from '../http/operations/operation';
import { deprecationHeaders } from '../deprecation/deprecations';
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
  'Entity tag of the answer; send it as `If-None-Match` and an unchanged answer is a 304 without a body (RFC 9110).',
  '"Q2x0b2hUYWc5U3Ryb25nRVRhZzE"',
);
const WWW_AUTHENTICATE = header('How to authenticate (RFC 6750).', 'Bearer realm="petstore"');

// No example: tools would send the cursor in it, which is refused with other filters or another order.
const PAGE_LINK = header(
  'Links to the next page (`rel="next"`), while there is more, and from a later page back to the first (`rel="first"`) (RFC 8288).',
);

/** Returns the header fields of an operation's responses with a given status. */
export function headersOf(
  operation: Operation,
  status: string,
  address: ServiceAddress,
): Record<string, DocumentedHeader> {
  const { response } = operation;
  const isRepresentation = response && (status === '200' || status === '304');
  return {
    ...documentedDeprecation(operation, address),
    ...(isRepresentation && { ETag: ETAG }),
    ...(isRepresentation && response.kind === 'page' && { Link: PAGE_LINK }),
    ...(status === '201' &&
      response && {
        Location: header('Path of what was created (RFC 9110).', `${address.prefix}${operation.path}/1`),
      }),
    ...(status === '401' && { 'WWW-Authenticate': WWW_AUTHENTICATE }),
    'X-Request-Id': REQUEST_ID,
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
