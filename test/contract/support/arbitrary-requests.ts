import fc from 'fast-check';
import { anyText, bodiesNear, INTEGERS } from './arbitrary-json';
import type { WireRequest } from './request';
import { BASE_PATH, bodySchema, type ServedDocument, type ServedOperation } from './served-document';

function characters(from: number, to: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code)),
    maxLength,
  });
}

/** Percent-encoded, or as printable ASCII that leaves the request line whole. */
const targetText = fc.oneof(
  anyText.map((value) => encodeURIComponent(value.toWellFormed())),
  characters(0x21, 0x7e, 12),
  fc.constantFrom(...INTEGERS),
);

/** What may stand in a header field without ending it. */
const fieldText = fc.oneof(characters(0x20, 0x7e, 30), characters(0x80, 0xff, 5));

const headers = fc.dictionary(
  fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'Expect',
    'If-Match',
    'If-None-Match',
    'If-Modified-Since',
    'Origin',
    'Range',
    'X-Forwarded-Host',
    'X-HTTP-Method-Override',
    'X-Request-Id',
  ),
  fc.oneof(
    fieldText,
    fc.array(fieldText, { minLength: 2, maxLength: 3 }),
    fc.constantFrom('*/*', '*', '""', 'bytes=0-1', 'application/json'),
  ),
  { maxKeys: 3, noNullPrototype: true },
);

function queries(operation: ServedOperation): fc.Arbitrary<string> {
  const names = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const value = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.oneof(fc.integer({ min: 1, max: 100 }).map(String), fc.constantFrom('available', 'sold')),
    },
    { weight: 1, arbitrary: targetText },
  );
  const pair = (name: fc.Arbitrary<string>) => fc.tuple(name, value).map((both) => both.join('='));
  const known = names.length === 0 ? fc.constant('') : pair(fc.constantFrom(...names));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: fc.array(known, { maxLength: 2 }).map((pairs) => pairs.join('&')) },
    { weight: 1, arbitrary: fc.tuple(known, pair(targetText)).map((pairs) => pairs.join('&')) },
  );
}

function targets(operation: ServedOperation): fc.Arbitrary<string> {
  const segments = operation.path
    .split('/')
    .slice(1)
    .map((segment) =>
      segment.startsWith('{') ? fc.oneof(fc.constantFrom('1', '2', '3'), targetText) : fc.constant(segment),
    );
  const path = fc.tuple(...segments).map((all) => `${BASE_PATH}/${all.join('/')}`);
  const whole = fc
    .tuple(path, queries(operation))
    .map(([at, query]) => (query === '' ? at : `${at}?${query}`));
  const mutated = fc
    .tuple(whole, fc.nat(40), targetText)
    .map(([target, at, piece]) => `/${target.slice(1, at + 1)}${piece}${target.slice(at + 1)}`);
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: mutated });
}

/** Requests near an operation: some it carries out, most it must refuse. */
export function requestsNear(
  operation: ServedOperation,
  document: ServedDocument,
): fc.Arbitrary<WireRequest> {
  const schema = bodySchema(operation);
  const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
  return fc
    .record({
      method: fc.oneof(
        { weight: 15, arbitrary: fc.constant(operation.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'),
        },
      ),
      target: targets(operation),
      headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
      body: schema ? bodiesNear(schema, document) : fc.option(noise, { nil: undefined, freq: 8 }),
      isKeyed: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
    })
    .map(({ isKeyed, body, ...request }) => ({
      ...request,
      ...(body !== undefined && { body }),
      ...(!isKeyed && { key: null }),
      headers: { ...(schema && { 'Content-Type': 'application/json' }), ...request.headers },
    }));
}
