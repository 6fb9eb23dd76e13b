import type { Kind } from './kind';
import { type KindName, kindNamed, kindOfColumn, kindOfSchema, KINDS } from './kinds';

const NAMES = Object.keys(KINDS) as KindName[];

/** Limits that every kind understands. */
const LIMITS = { precision: 4, scale: 2, values: ['sold'], name: 'Status' };

/** A text of each kind. */
const TEXTS: Readonly<Record<KindName, string>> = {
  text: 'Rex',
  integer: '-2147483648',
  int64: '9223372036854775807',
  number: '1.5e-7',
  decimal: '12.50',
  boolean: 'false',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  enum: 'sold',
};

describe('A kind of value', () => {
  it.each(NAMES)('is found by the schema of its rule: %s', (name) => {
    const { schema } = (kindNamed(name) as Kind<object>).rule(LIMITS);
    expect(kindOfSchema(schema)).toBe(name);
  });

  it.each(NAMES)('is found by its column type, unless it shares that: %s', (name) => {
    const { column } = kindNamed(name);
    expect(column === undefined ? name : kindOfColumn(column.type)).toBe(
      column === undefined ? 'enum' : KINDS[name],
    );
  });

  it.each(NAMES)('reads a text into a value that its rule accepts: %s', (name) => {
    const { fromText, rule } = kindNamed(name) as Kind<object>;
    expect(rule(LIMITS).isValid(fromText(TEXTS[name], LIMITS))).toBe(true);
  });

  it.each(NAMES)('reads what a person types like a value in a body: %s', (name) => {
    const { toJson, rule } = kindNamed(name) as Kind<object>;
    const { read, isValid } = rule(LIMITS);
    const json = toJson ? toJson(TEXTS[name]) : TEXTS[name];
    expect(isValid(read ? read(json, {}) : json)).toBe(true);
  });

  it.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: 'number', format: 'float' }, 'number'],
    [{ type: 'string', format: 'email' }, 'text'],
    [{ type: Object }, 'text'],
  ])('is found by type alone for the schema %j', (schema, name) => {
    expect(kindOfSchema(schema)).toBe(name);
  });
});
