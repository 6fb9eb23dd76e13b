import fc from 'fast-check';
import {
  BASE_PATH,
  bodySchema,
  bodyTypes,
  type DocumentedParameter,
  queryParameters,
  resolveSchema,
  type ServedOperation,
} from '../../support/service/served-document';
import { anyText, bodiesNear, INTEGERS } from './arbitrary-json';
import { numberOf, type Surroundings } from './arbitrary-values';
import type { WireRequest } from './request';

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
    'Idempotency-Key',
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

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

/** A value of a query parameter: mostly one that fits its schema. */
function valueNear({ schema }: DocumentedParameter, { document }: Surroundings): fc.Arbitrary<string> {
  const resolved = resolveSchema(schema, document);
  const { type, enum: values } = resolved;
  const fitting = values
    ? fc.constantFrom(...values).map(String)
    : type === 'boolean'
      ? fc.boolean().map(String)
      : type === 'integer'
        ? numberOf(resolved)
        : targetText;
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: targetText });
}

function queries(operation: ServedOperation, around: Surroundings): fc.Arbitrary<string> {
  const pairs = queryParameters(operation).map((parameter) =>
    valueNear(parameter, around).map((value) => `${parameter.name}=${value}`),
  );
  const known = pairs.length === 0 ? fc.constant('') : fc.oneof(...pairs);
  const unknown = fc.tuple(targetText, targetText).map((pair) => pair.join('='));
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: fc.array(known, { maxLength: 2 }).map((all) => all.join('&')) },
    { weight: 2, arbitrary: fc.tuple(known, unknown).map((all) => all.join('&')) },
  );
}

/** Targets with the path of the operation as the document has it: the sender puts an id into it. */
function targets(operation: ServedOperation, around: Surroundings): fc.Arbitrary<string> {
  const segments = operation.path
    .split('/')
    .slice(1)
    .map((segment) =>
      segment.startsWith('{')
        ? fc.oneof({ weight: 6, arbitrary: fc.constant(segment) }, { weight: 1, arbitrary: targetText })
        : fc.constant(segment),
    );
  const path = fc.tuple(...segments).map((all) => `${BASE_PATH}/${all.join('/')}`);
  const whole = fc
    .tuple(path, queries(operation, around))
    .map(([at, query]) => (query === '' ? at : `${at}?${query}`));
  const mutated = fc
    .tuple(whole, fc.nat(40), targetText)
    .map(([target, at, piece]) => `/${target.slice(1, at + 1)}${piece}${target.slice(at + 1)}`);
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: mutated });
}

/** Requests near an operation: some it carries out, the others it must refuse. Their targets are still templates. */
export function requestsNear(operation: ServedOperation, around: Surroundings): fc.Arbitrary<WireRequest> {
  const schema = bodySchema(operation);
  const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
  const type = schema ? fc.constantFrom(...bodyTypes(operation)) : fc.constant(undefined);
  return fc
    .record({
      method: fc.oneof(
        { weight: 15, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      target: targets(operation, around),
      type,
      headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
      body: schema ? bodiesNear(schema, around) : fc.option(noise, { nil: undefined, freq: 8 }),
      isKeyed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    })
    .map(({ isKeyed, type: contentType, body, ...request }) => ({
      ...request,
      ...(body !== undefined && { body }),
      ...(!isKeyed && { key: null }),
      headers: { ...(contentType !== undefined && { 'Content-Type': contentType }), ...request.headers },
    }));
}
