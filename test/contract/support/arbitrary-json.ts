import fc from 'fast-check';
import { resolveSchema, type Schema } from '../../support/service/served-document';
import { numberOf, objectText, type Surroundings, validMembers, validText } from './arbitrary-values';
import { nearMisses } from './near-misses';

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
        .map((all) => objectText(all)),
    },
  ),
})).json;

/** JSON text in place of a member's: any, or what it might be taken for; undefined leaves the member out. */
function textNear(member: Schema, { document }: Surroundings): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: jsonText },
    // Of references, one that leads to nothing.
    numberOf({ type: 'integer', format: 'int64' }),
    { weight: 2, arbitrary: fc.constantFrom(undefined, ...nearMisses(member, document)) },
  );
}

/** Bodies around a schema: valid, with one or two members changed, missing or added, other JSON, and no JSON at all. */
export function bodiesNear(schema: Schema, around: Surroundings): fc.Arbitrary<string | Buffer> {
  const { properties = {} } = resolveSchema(schema, around.document);
  const good = validText(schema, around);
  const damage = fc.oneof(
    ...Object.entries(properties).map(([name, member]) =>
      fc.tuple(fc.constant(name), textNear(member, around)),
    ),
  );
  const damaged = fc
    .tuple(validMembers(schema, around), fc.array(damage, { minLength: 1, maxLength: 2 }))
    .map(([members, changes]) => objectText(Object.entries({ ...members, ...Object.fromEntries(changes) })));
  const extended = fc
    .tuple(good, memberName, jsonText)
    .map(([body, name, value]) => body.replace('{', () => `{${JSON.stringify(name)}:${value},`));
  return fc.oneof(
    { weight: 10, arbitrary: good },
    { weight: 6, arbitrary: damaged },
    { weight: 1, arbitrary: extended },
    jsonText,
    fc.tuple(good, fc.nat(60)).map(([body, length]) => body.slice(0, length)),
    fc.integer({ min: 30, max: 90 }).map((depth) => '['.repeat(depth) + ']'.repeat(60)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
}
