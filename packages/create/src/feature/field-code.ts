import { FIELD_TYPES } from './field-types.ts';
import { itemTexts, sampleValues } from './field-values.ts';
import type { LinkedField } from './references.ts';
import { capitalized, textLiteral } from '../text/spelling.ts';

/** A field with the code it makes in each layer. */
export interface CodedField extends LinkedField {
  /** Precision and scale of a decimal, as decorators take them; empty for other types. */
  readonly digitsArgument: string;
  /** Arguments of the column's decorator. */
  readonly columnArguments: string;
  /** Expression of the column's type in a migration. */
  readonly columnType: string;
  /** Members of the column in the migration besides name and type, with a comma before them. */
  readonly columnFacts: string;
  /** Arguments of the DTO's decorator. */
  readonly fieldArguments: string;
  /** Expression that is stored by a creation without the field; undefined if the field is required. */
  readonly fallback: string | undefined;
  /** True if the body of a creation may have it. */
  readonly isCreated: boolean;
  /** True if the body of a creation may lack it. */
  readonly mayBeLeftOut: boolean;
  /** True if clients can change it. */
  readonly isPatched: boolean;
  /** Expressions of two values in a test of the feature; twice the same if there is only one. */
  readonly testValues: readonly [string, string];
  /** Expression of a value in a test that differs for each number `n`; undefined if values need not be unique. */
  readonly uniqueValue: string | undefined;
  /** Expression of its default in a test; undefined if it has no default. */
  readonly testDefault: string | undefined;
  /** Condition that limits its column to valid values; empty if every value is valid. */
  readonly check: string;
}

/**
 * Works out the code of a field.
 *
 * @param owner the feature's singular, in words
 */
export function codedField(field: LinkedField, owner: string): CodedField {
  const { options, optional, isArray, reference, code } = field;
  const values = samplesOf(field);
  const sample = reference && `await addSample(service, '/${reference.folder}')`;
  const [first, second = first] = values.map((texts) => sample ?? literalOf(field, texts, testLiteral));
  const defaults = defaultsOf(field);
  const fallback = defaults && literalOf(field, defaults, storedLiteral);
  return {
    ...field,
    digitsArgument: digitsOf(field),
    columnArguments: listOf([
      digitsOf(field),
      objectOf({
        name: field.column === field.name ? undefined : textLiteral(field.column),
        array: isArray ? 'true' : undefined,
        nullable: optional ? 'true' : undefined,
      }),
    ]),
    columnType: isArray ? `array(${code.sql})` : code.sql,
    columnFacts: [
      field.digits && !isArray ? `, ${membersOf({ ...field.digits })}` : '',
      optional ? ', isNullable: true' : '',
    ].join(''),
    fieldArguments: fieldArguments(field, descriptionOf(field, owner), values[0] as readonly string[]),
    fallback: fallback ?? (optional ? 'null' : undefined),
    isCreated: options.access !== 'read-only',
    mayBeLeftOut: optional || fallback !== undefined,
    isPatched: options.access === 'open',
    testValues: [first as string, second as string],
    uniqueValue: options.unique ? uniqueValue(field) : undefined,
    testDefault: defaults && literalOf(field, defaults, testLiteral),
    check: checkOf(field),
  };
}

/** Two values of a field, each as the texts of its items; only one if there is no other. */
function samplesOf(field: LinkedField): string[][] {
  const { isArray, options } = field;
  if (!isArray) return sampleValues(field, 2).map((text) => [text]);
  const count = Math.max(Number(options.minItems ?? 0), Math.min(2, Number(options.maxItems ?? 2)));
  const items = sampleValues(field, Math.max(2, count));
  const samples = [0, 1].map((start) =>
    Array.from({ length: count }, (_, index) => items[(start + index) % items.length] as string),
  );
  return samples.slice(0, items.length);
}

/** The default of a field as the texts of its items; undefined if it has no default. */
function defaultsOf({ isArray, options }: LinkedField): string[] | undefined {
  if (options.default === undefined) return undefined;
  return isArray ? itemTexts(options.default) : [options.default];
}

/** The expression of a value, or of an array of values. */
function literalOf(
  field: LinkedField,
  texts: readonly string[],
  literal: (field: LinkedField, text: string) => string,
): string {
  const literals = texts.map((text) => literal(field, text)).join(', ');
  return field.isArray ? `[${literals}]` : literals;
}

function fieldArguments(field: LinkedField, description: string, example: readonly string[]): string {
  const { type, isArray, options, optional, reference, enum: own } = field;
  const defaults = defaultsOf(field);
  const [least, greatest] = type === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  const labels = own?.members.filter(({ label }) => label !== undefined) ?? [];
  const object = objectOf({
    description: textLiteral(description),
    example: literalOf(field, example, documentLiteral),
    [least]: options.min === undefined ? undefined : limitLiteral(field, options.min),
    [greatest]: options.max === undefined ? undefined : limitLiteral(field, options.max),
    pattern: options.pattern === undefined ? undefined : textLiteral(options.pattern),
    isArray: isArray ? 'true' : undefined,
    minItems: options.minItems,
    maxItems: options.maxItems,
    labels:
      labels.length === 0
        ? undefined
        : objectOf(
            Object.fromEntries(
              labels.map(({ value, label }) => [propertyName(value), textLiteral(label as string)]),
            ),
          ),
    default:
      defaults === undefined || options.access === 'read-only'
        ? undefined
        : literalOf(field, defaults, documentLiteral),
    optional: optional ? 'true' : undefined,
    isPersonal: options.personal ? 'true' : undefined,
  });
  if (own) return `${own.name}, '${own.name}', ${object}`;
  return listOf([digitsOf(field), reference ? `'/${reference.folder}'` : '', object]);
}

function digitsOf({ digits }: LinkedField): string {
  return digits ? `{ ${membersOf({ ...digits })} }` : '';
}

function limitLiteral({ type }: LinkedField, text: string): string {
  return type === 'decimal' ? textLiteral(text) : text;
}

function listOf(expressions: readonly string[]): string {
  return expressions.filter((expression) => expression !== '').join(', ');
}

/** An object literal of the members that have an expression; empty if no member has one. */
function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter(([, expression]) => expression !== undefined);
  return given.length > 0 ? `{ ${membersOf(Object.fromEntries(given))} }` : '';
}

function membersOf(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, expression]) => `${name}: ${String(expression)}`)
    .join(', ');
}

function propertyName(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? text : textLiteral(text);
}

/** A value as it is written in JSON. */
function testLiteral({ type }: LinkedField, text: string): string {
  return isBare(type) ? text : textLiteral(text);
}

/** A value as the document has it, in a DTO that can use the field's enum. */
function documentLiteral(field: LinkedField, text: string): string {
  const member = field.enum?.members.find(({ value }) => value === text);
  return member ? `${field.enum?.name}.${member.name}` : testLiteral(field, text);
}

/** A value as the entity has it. */
function storedLiteral(field: LinkedField, text: string): string {
  return field.type === 'int64' ? `${text}n` : documentLiteral(field, text);
}

function isBare(type: LinkedField['type']): boolean {
  return ['number', 'bigint', 'boolean'].includes(FIELD_TYPES[type].typescript);
}

/** Length within which a word and a number fit. */
const WORDS_AND_NUMBER = 16;

function uniqueValue({ type, code, options, reference, digits }: LinkedField): string {
  const { min, max, pattern } = options;
  if (reference) return `await add('/${reference.folder}')`;
  switch (type) {
    case 'string': {
      if (pattern !== undefined) return `matching(${textLiteral(pattern)}, n)`;
      const text = Number(max ?? WORDS_AND_NUMBER) < WORDS_AND_NUMBER ? 'n.toString(36)' : '`some text ${n}`';
      return min === undefined ? text : `${text}.padEnd(${min}, '-')`;
    }
    case 'decimal':
      return `(${sumOf(min, `n / ${10 ** (digits?.scale ?? 0)}`)}).toFixed(${digits?.scale})`;
    default:
      return code.uniqueValue ?? sumOf(min ?? (max === undefined ? undefined : `${max} - 100_000`), 'n');
  }
}

function sumOf(first: string | undefined, second: string): string {
  return first === undefined || Number(first) === 0 ? second : `${first} + ${second}`;
}

/** The condition of a column; empty if there is none. Both engines have no common one for the items of an array. */
function checkOf({ column, type, isArray, options: { min, max }, enum: own }: LinkedField): string {
  if (isArray) return '';
  if (own) return `"${column}" IN (${own.members.map(({ value }) => `'${value}'`).join(', ')})`;
  const size = type === 'string' ? `length("${column}")` : `"${column}"`;
  if (min !== undefined && max !== undefined) return `${size} BETWEEN ${min} AND ${max}`;
  if (min !== undefined) return `${size} >= ${min}`;
  return max === undefined ? '' : `${size} <= ${max}`;
}

function descriptionOf({ words, reference, options: { description } }: LinkedField, owner: string): string {
  if (description !== undefined) return /[.!?]$/.test(description) ? description : `${description}.`;
  const text = `${capitalized(words)} of the ${owner}`;
  return reference
    ? `${text}: the \`id\` of one of the ${reference.folder.replaceAll('-', ' ')}.`
    : `${text}.`;
}
