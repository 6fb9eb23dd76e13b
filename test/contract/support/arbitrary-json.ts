import fc from 'fast-check';
import { resolveSchema, type Schema, type ServedDocument } from './served-document';

/** Integers at the edges of int64 and beyond, and other ways to write one. */
export const INTEGERS = [
  '0',
  '1',
  '2',
  '-1',
  '-0',
  '1.0',
  '1e2',
  '1e999',
  '9223372036854775807',
  '9223372036854775808',
];

/** Text of every kind, lone surrogates, control characters and U+0000 included. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('null', '\0', '\ud800', "' OR 1=1 --", '../..', '%00'),
);

/** Member names, among them those that JavaScript gives a meaning of its own. */
const memberName = fc.oneof(
  fc.constantFrom('constructor', '__proto__', 'then', 'length', 'toJSON'),
  fc.constantFrom('hasOwnProperty', 'prototype', 'get', 'valueOf'),
  anyText,
);

const numberText = fc.oneof(
  fc.constantFrom(...INTEGERS, '9'.repeat(400), '1e-400', '1.5', '-1e400', '0.1e1'),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);

/** JSON text of any value. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '[]', '{}', '""'),
    numberText,
    anyText.map((value) => JSON.stringify(value)),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(fc.tuple(memberName, tie('json')), { maxLength: 3, selector: ([name]) => name })
        .map((all) => object(all)),
    },
  ),
})).json;

/** Bodies around a schema: valid, with members of any value, missing or repeated, other JSON, and no JSON at all. */
export function bodiesNear(schema: Schema, document: ServedDocument): fc.Arbitrary<string | Buffer> {
  const { properties = {} } = resolveSchema(schema, document);
  const good = valid(schema, document);
  const changed = fc
    .tuple(
      ...Object.entries(properties).map(([name, property]) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(
            { weight: 5, arbitrary: valid(property, document) },
            { weight: 4, arbitrary: jsonText },
            fc.constant(''),
          ),
        ),
      ),
    )
    .map((all) => object(all.filter(([, value]) => value !== '')));
  const extended = fc
    .tuple(good, memberName, jsonText)
    .map(([body, name, value]) => body.replace('{', () => `{${JSON.stringify(name)}:${value},`));
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 10, arbitrary: changed },
    { weight: 2, arbitrary: extended },
    jsonText,
    fc.tuple(good, fc.nat(60)).map(([body, length]) => body.slice(0, length)),
    fc.integer({ min: 30, max: 90 }).map((depth) => '['.repeat(depth) + ']'.repeat(60)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
}

/** JSON text of a value that fits a schema. */
function valid(schema: Schema, document: ServedDocument): fc.Arbitrary<string> {
  const { type, enum: values, items, properties } = resolveSchema(schema, document);
  if (values) return fc.constantFrom(...values).map((value) => JSON.stringify(value));
  if (items) return fc.array(valid(items, document), { maxLength: 3 }).map((all) => `[${all.join()}]`);
  if (properties) {
    const members = Object.entries(properties).map(([name, property]) =>
      fc.tuple(fc.constant(name), valid(property, document)),
    );
    return fc.tuple(...members).map((all) => object(all));
  }
  if (type === 'integer') return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
  if (type === 'boolean') return fc.boolean().map(String);
  return fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value.replaceAll('\0', '')));
}

function object(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}
