import fc from 'fast-check';
import { resolveSchema, type Schema, type ServedDocument } from '../../support/service/served-document';

/** What valid values are made from: the schemas, and ids of items that exist, by the path of their collection. */
export interface Surroundings {
  readonly document: ServedDocument;
  readonly ids: Readonly<Record<string, readonly number[]>>;
  /** Members of bodies that samples give: a mark stands for each, and none is left out. */
  readonly sampled: readonly string[];
}

/** JSON text that stands for the member of a sample. */
export function sampleMark(name: string): string {
  return JSON.stringify(`the sample's ${name}`);
}

/** JSON text of members by name; one that is undefined is left out. */
export type Members = Readonly<Record<string, string | undefined>>;

/** JSON text of an object with these members. */
export function objectText(members: readonly (readonly [string, string | undefined])[]): string {
  const given = members.filter(([, value]) => value !== undefined);
  return `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

/** JSON text of a value that fits a schema, over the whole range of its format. */
export function validText(schema: Schema, around: Surroundings): fc.Arbitrary<string> {
  const resolved = resolveSchema(schema, around.document);
  const text = textOf(resolved, around);
  return resolved.nullable ? fc.oneof({ weight: 4, arbitrary: text }, fc.constant('null')) : text;
}

/** Members that together fit an object schema; optional ones come and go. */
export function validMembers(schema: Schema, around: Surroundings): fc.Arbitrary<Members> {
  const { properties = {}, required = [] } = resolveSchema(schema, around.document);
  const sampled = around.sampled.filter((name) => name in properties);
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    sampled.includes(name) ? fc.constant(sampleMark(name)) : validText(member, around),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<string>>, {
    requiredKeys: [...required, ...sampled],
    noNullPrototype: true,
  });
}

function textOf(schema: Schema, around: Surroundings): fc.Arbitrary<string> {
  const { type, enum: values, items, properties, 'x-refers-to': collection } = schema;
  if (collection !== undefined) return fc.constantFrom(...(around.ids[collection] ?? [])).map(String);
  if (values) return fc.constantFrom(...values).map((value) => JSON.stringify(value));
  if (items) {
    const [minLength, maxLength] = [schema.minItems ?? 0, schema.maxItems ?? Infinity];
    const lengths = { minLength, maxLength: Math.min(minLength + 3, maxLength) };
    const all = schema.uniqueItems
      ? fc.uniqueArray(validText(items, around), lengths)
      : fc.array(validText(items, around), lengths);
    return all.map((texts) => `[${texts.join()}]`);
  }
  if (properties) return validMembers(schema, around).map((all) => objectText(Object.entries(all)));
  if (type === 'boolean') return fc.boolean().map(String);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  return stringOf(schema).map((value) => JSON.stringify(value));
}

/** Text of a number that fits a schema. */
export function numberOf({ type, format, minimum, maximum }: Schema): fc.Arbitrary<string> {
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
  const bits = format === 'int32' ? 31n : 63n;
  const min = minimum === undefined ? -(2n ** bits) : BigInt(minimum);
  const max = maximum === undefined ? 2n ** bits - 1n : BigInt(maximum);
  return fc.bigInt({ min, max }).map(String);
}

function stringOf(schema: Schema): fc.Arbitrary<string> {
  const { 'x-minimum': least = -Infinity, 'x-maximum': greatest = Infinity, format } = schema;
  if (format !== 'decimal') return textLike(schema);
  return textLike(schema).filter((text) => Number(text) >= Number(least) && Number(text) <= Number(greatest));
}

function textLike({ format, pattern, minLength = 0, maxLength = Infinity }: Schema): fc.Arbitrary<string> {
  const fits = (text: string) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && !text.includes('\0') && text.isWellFormed();
  };
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits);
  if (minLength > 0 || maxLength < Infinity) {
    const lengths = { minLength, ...(maxLength < Infinity && { maxLength }) };
    return fc.string({ unit: 'grapheme-ascii', ...lengths }).filter(fits);
  }
  switch (format) {
    case 'date':
      return dayTime(0).map((instant) => instant.slice(0, 'YYYY-MM-DD'.length));
    case 'date-time':
      return fc.oneof(
        fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-31t09:30:00z'),
        fc.integer({ min: -1_439, max: 1_439 }).chain(dateTime),
      );
    case 'uuid':
      return fc.oneof(
        fc.uuid(),
        fc.uuid().map((uuid) => uuid.toUpperCase()),
      );
    default:
      return fc
        .oneof(
          { withCrossShrink: true },
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'grapheme' }),
          fc.string({ minLength: 500, maxLength: 900 }),
        )
        .map((text) => text.replaceAll('\0', '').toWellFormed());
  }
}

/** A date-time of RFC 3339 with an offset from UTC in minutes, and a fraction of any length. */
function dateTime(offset: number): fc.Arbitrary<string> {
  const sign = offset < 0 ? '-' : '+';
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  const fraction = fc.stringMatching(/^(\.\d{1,9})?$/);
  return fc.tuple(dayTime(offset), fraction).map(([local, part]) => `${local}${part}${zone}`);
}

/** A day and a time to the second, `YYYY-MM-DDTHH:MM:SS`, in the years 1 to 9999 both there and in UTC. */
function dayTime(offset: number): fc.Arbitrary<string> {
  const min = new Date(Date.parse('0001-01-01T00:00:00Z') + Math.max(0, -offset) * 60_000);
  const max = new Date(Date.parse('9999-12-31T23:59:59Z') - Math.max(0, offset) * 60_000);
  return fc
    .date({ min, max, noInvalidDate: true })
    .map((instant) => new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19));
}
