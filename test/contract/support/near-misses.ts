import { resolveSchema, type Schema, type ServedDocument } from '../../support/service/served-document';

const BY_FORMAT: Readonly<Record<string, readonly string[]>> = {
  int32: ['2147483648', '-2147483649', '1.5', '"1"'],
  int64: ['9223372036854775808', '-9223372036854775809', '1.5', '"1"'],
  double: ['1e400', '-1e400', '"1.5"'],
  decimal: ['1.5', '"1e2"', '"1,5"', '""'],
  boolean: ['0', '"true"'],
  string: ['1', 'true', String.raw`"\u0000"`, String.raw`"\ud800"`],
  date: ['"0000-01-01"', '"2026-02-29"', '"2026-1-31"', '"10000-01-01"', '"2026-01-31T00:00:00Z"'],
  'date-time': [
    '"2026-01-31"',
    '"2026-01-31T09:30:00"',
    '"2026-01-31T24:00:00Z"',
    '"2016-12-31T23:59:60Z"',
    '"0001-01-01T00:00:00+01:00"',
    '"9999-12-31T23:59:59-01:00"',
  ],
  uuid: [
    '"9f1c7a522f6c4b5a9a530f6f6a0c4f8e"',
    '"{9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e}"',
    '"urn:uuid:9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e"',
  ],
};

/** JSON text of values that a schema just does not allow. */
export function nearMisses(member: Schema, document: ServedDocument): readonly string[] {
  const schema = resolveSchema(member, document);
  const { enum: values, format, type = '', nullable, items, properties } = schema;
  if (items) return nearMissesOfArray(schema, items, document);
  const never = nullable ? ['{}', '[]'] : ['{}', '[]', 'null'];
  if (properties) return ['[]', 'null', '1'];
  if (values) return [...never, '""', '"no-such-value"'];
  return [...never, ...(BY_FORMAT[format ?? type] ?? []), ...beyondLimits(schema)];
}

function nearMissesOfArray(
  { nullable, minItems = 0, maxItems, uniqueItems = false, example }: Schema,
  items: Schema,
  document: ServedDocument,
): string[] {
  const [first] = (example ?? []) as unknown[];
  const some = (count: number) => Array.from({ length: count }, () => JSON.stringify(first));
  return [
    ...(nullable ? ['{}'] : ['{}', 'null']),
    ...(minItems === 0 ? [] : [`[${some(minItems - 1).join()}]`]),
    ...(maxItems === undefined ? [] : [`[${some(maxItems + 1).join()}]`]),
    ...(uniqueItems ? [`[${some(Math.max(2, minItems)).join()}]`] : []),
    ...nearMisses(items, document).map((text) => `[${[...some(Math.max(0, minItems - 1)), text].join()}]`),
  ];
}

function beyondLimits({ minimum, maximum, minLength, maxLength, pattern }: Schema): string[] {
  return [
    ...(minimum === undefined ? [] : [String(BigInt(Math.ceil(minimum)) - 1n)]),
    ...(maximum === undefined ? [] : [String(BigInt(Math.floor(maximum)) + 1n)]),
    ...(minLength === undefined || minLength === 0 ? [] : [JSON.stringify('x'.repeat(minLength - 1))]),
    ...(maxLength === undefined ? [] : [JSON.stringify('x'.repeat(maxLength + 1))]),
    ...(pattern === undefined
      ? []
      : ['', '\u{1f415}', '\n']
          .filter((text) => !new RegExp(pattern, 'u').test(text))
          .map((text) => JSON.stringify(text))),
  ];
}
