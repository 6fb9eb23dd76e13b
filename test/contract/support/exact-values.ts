import { readJson } from '../../../src/platform/values/json-reader';
import { resolveSchema, type Schema, type ServedDocument } from '../../support/service/served-document';

/**
 * The members of a JSON object as values that are equal when they mean the same: every integer to the digit, date-times as
 * instants, UUIDs in lower case, decimals without zeros that say nothing.
 */
export function exactValues(text: string, schema: Schema, document: ServedDocument): Record<string, unknown> {
  const { properties = {} } = resolveSchema(schema, document);
  const values = readJson(Buffer.from(text)) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, meaningOf(value, properties[name], document)]),
  );
}

function meaningOf(value: unknown, schema: Schema | undefined, document: ServedDocument): unknown {
  if (value === null || !schema) return value;
  const { format, items, properties } = resolveSchema(schema, document);
  if (Array.isArray(value)) return value.map((item) => meaningOf(item, items, document));
  if (properties) {
    const members = Object.entries(value as object).map(([name, member]) => [
      name,
      meaningOf(member, properties[name], document),
    ]);
    return Object.fromEntries(members) as unknown;
  }
  switch (format) {
    case 'double':
      return Number(value);
    case 'date-time':
      return Date.parse((value as string).toUpperCase());
    case 'decimal':
      // Written with all its digits.
      return (value as string)
        .replace(/^(-?)0+(?=\d)/, '$1')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')
        .replace(/^-0$/, '0');
    case 'uuid':
      return (value as string).toLowerCase();
    default:
      return value;
  }
}
