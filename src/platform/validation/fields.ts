import type { ApiPropertyOptions } from '@nestjs/swagger';
import { compareDecimals, type DecimalDigits, decimalPattern, readDecimal } from '../values/decimal';
import { INT64_MAX, INT64_MIN } from '../values/int64';
import { readDate, readDateTime, readUuid } from '../values/text-formats';
import { field, type FieldOptions } from './field';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** Least and greatest value, both allowed. */
export interface NumberLimits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Limits on the length of a text, in characters of Unicode, and a regular expression that it matches, as in JSON Schema. */
export interface TextLimits {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/** A 64-bit integer in a body: `bigint` in the DTO, exact (OpenAPI format int64). */
export function Int64Field(options: FieldOptions & NumberLimits): PropertyDecorator {
  return int64Field(options, {});
}

function int64Field(options: FieldOptions & NumberLimits, extension: object): PropertyDecorator {
  const { minimum, maximum } = options;
  return field(options, {
    schema: { type: 'integer', format: 'int64', minimum, maximum, ...extension },
    // The JSON reader returns a bigint for exactly those numbers that are integers within int64.
    isValid: (value) => typeof value === 'bigint' && isWithin(value, options),
    sentence: `must be an integer from ${minimum ?? INT64_MIN} to ${maximum ?? INT64_MAX}`,
  });
}

/** Identifier of a resource of another collection (`/pets`): an {@link Int64Field} whose target must exist. */
export function ReferenceField(collection: string, options: FieldOptions): PropertyDecorator {
  // Tools, and the tests of the contract, learn from this extension where a valid identifier comes from.
  return int64Field(options, { 'x-refers-to': collection });
}

/** A 32-bit integer in a body: `number` in the DTO (OpenAPI format int32). */
export function IntegerField(options: FieldOptions & NumberLimits): PropertyDecorator {
  const { minimum, maximum } = options;
  return field(options, {
    schema: { type: 'integer', format: 'int32', minimum, maximum },
    read: (value, body) => {
      if (typeof value === 'bigint') return Number(value);
      // Already converted: another pipe asks for the same DTO.
      if (Object.getPrototypeOf(body) !== Object.prototype) return value;
      // A number that the JSON reader leaves as one is not an integer by its digits, although its double may be.
      return typeof value === 'number' ? Number.NaN : value;
    },
    isValid: (value) => typeof value === 'number' && (value | 0) === value && isWithin(value, options),
    sentence: `must be an integer from ${minimum ?? INT32_MIN} to ${maximum ?? INT32_MAX}`,
  });
}

/** A number in a body, kept as an IEEE 754 double (OpenAPI format double). */
export function NumberField(options: FieldOptions & NumberLimits): PropertyDecorator {
  const { minimum, maximum } = options;
  const limits = limitsInWords(minimum, maximum);
  return field(options, {
    schema: { type: 'number', format: 'double', minimum, maximum },
    read: (value) => (typeof value === 'bigint' ? Number(value) : value),
    isValid: (value) => typeof value === 'number' && Number.isFinite(value) && isWithin(value, options),
    sentence: `must be a number ${limits || 'within the range of a double'}`,
  });
}

/**
 * A decimal in a body, exact: a `string` in the DTO, with all digits after the point (`12.50`). It is a text in JSON, because
 * most clients turn a number into a double.
 */
export function DecimalField(
  digits: DecimalDigits,
  options: FieldOptions & { readonly minimum?: string; readonly maximum?: string },
): PropertyDecorator {
  const { description } = options;
  const [minimum, maximum] = [options.minimum, options.maximum].map((limit) => readDecimal(limit, digits));
  const limits = limitsInWords(minimum, maximum);
  const { precision, scale } = digits;
  const subject = options.isArray ? 'Each' : 'It';
  return field(
    // JSON Schema has no limits on the value of a text: people read them in the description, and the tests of the contract in
    // extensions.
    {
      ...options,
      description: limits ? `${description} ${subject} must be ${limits.replace('of ', '')}.` : description,
    },
    {
      schema: {
        type: 'string',
        format: 'decimal',
        pattern: decimalPattern(digits),
        ...(minimum !== undefined && { 'x-minimum': minimum }),
        ...(maximum !== undefined && { 'x-maximum': maximum }),
      },
      read: (value) => readDecimal(value, digits) ?? value,
      isValid: (value) => isDecimalWithin(readDecimal(value, digits), minimum, maximum),
      sentence: `must be a decimal in a string, such as "${readDecimal('1', digits) ?? readDecimal('0', digits)}", with at most ${precision - scale} digits before the point and ${scale} behind it${limits && `, ${limits}`}`,
    },
  );
}

function isDecimalWithin(
  value: string | undefined,
  minimum: string | undefined,
  maximum: string | undefined,
): boolean {
  if (value === undefined) return false;
  const isEnough = minimum === undefined || compareDecimals(value, minimum) >= 0;
  return isEnough && (maximum === undefined || compareDecimals(value, maximum) <= 0);
}

/** true or false. */
export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(options, {
    schema: { type: 'boolean' },
    isValid: (value) => typeof value === 'boolean',
    sentence: 'must be true or false',
  });
}

/** Rule for every text, whatever its length. */
export const TEXT_RULE = 'must be a string of well-formed Unicode without U+0000';

/** Tells whether every engine can store a text: PostgreSQL takes no U+0000. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Well-formed Unicode text without U+0000, which PostgreSQL cannot store. */
export function StringField(options: FieldOptions & TextLimits): PropertyDecorator {
  const { minLength, maxLength, pattern } = options;
  const length = limitsInWords(minLength, maxLength);
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return field(options, {
    schema: { type: 'string', minLength, maxLength, pattern },
    isValid: (value) =>
      typeof value === 'string' &&
      isStorableText(value) &&
      hasLength(value, options) &&
      (expression?.test(value) ?? true),
    sentence: `${TEXT_RULE}${length && `, ${length} characters`}${pattern === undefined ? '' : `, that matches ${pattern}`}`,
  });
}

/** A day of the calendar, `2026-01-31` (RFC 3339 full-date): a `string` in the DTO, for it has no time zone. */
export function DateField(options: FieldOptions): PropertyDecorator {
  return field(options, {
    schema: { type: 'string', format: 'date' },
    isValid: (value) => readDate(value) !== undefined,
    sentence: 'must be a date such as 2026-01-31',
  });
}

/** A point in time with its offset (RFC 3339 date-time): a `Date` in the DTO, to the millisecond; in UTC in responses. */
export function DateTimeField(options: FieldOptions): PropertyDecorator {
  return field(options, {
    schema: { type: 'string', format: 'date-time' },
    read: (value) => readDateTime(value) ?? value,
    isValid: (value) => value instanceof Date,
    sentence: 'must be a date and time with an offset such as 2026-01-31T09:30:00Z',
  });
}

/** A UUID of any version in its canonical text form (RFC 9562), taken in either case, and in lower case in responses. */
export function UuidField(options: FieldOptions): PropertyDecorator {
  return field(options, {
    schema: { type: 'string', format: 'uuid' },
    read: (value) => readUuid(value) ?? value,
    isValid: (value) => readUuid(value) !== undefined,
    sentence: 'must be a UUID such as 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  });
}

/** One of the values of an enum; a schema of its own in the document, under `name`. */
export function EnumField(
  values: Record<string, string>,
  name: string,
  options: FieldOptions & { readonly labels?: Readonly<Record<string, string>> },
): PropertyDecorator {
  const { description, labels = {} } = options;
  const allowed = Object.values(values);
  // The document has no other place for descriptions of a named enum's values, or of one of its members.
  const sentences = [
    description,
    ...Object.entries(labels).map(([value, label]) => `\`${value}\` is ${label}.`),
    ...(options.default === undefined || options.isArray
      ? []
      : [`Unless given, it is \`${String(options.default)}\`.`]),
  ];
  return field(
    { ...options, description: sentences.join(' ') },
    {
      schema: { enum: values, enumName: name, [ENUM_LABELS]: labels } as ApiPropertyOptions,
      isValid: (value) => allowed.includes(value as string),
      sentence: `must be one of ${allowed.join(', ')}`,
    },
  );
}

/** Extension of a member with the labels that people read in place of the values of its enum. */
export const ENUM_LABELS = 'x-enum-labels';

function isWithin(value: number | bigint, { minimum, maximum }: NumberLimits): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
}

function hasLength(text: string, { minLength = 0, maxLength = Infinity }: TextLimits): boolean {
  // A character is one or two UTF-16 units, so characters are counted only if that decides.
  if (text.length / 2 >= minLength && text.length <= maxLength) return true;
  if (text.length < minLength || text.length / 2 > maxLength) return false;
  const { length } = Array.from(text);
  return length >= minLength && length <= maxLength;
}

function limitsInWords(least: number | string | undefined, greatest: number | string | undefined): string {
  if (least !== undefined && greatest !== undefined) return `from ${least} to ${greatest}`;
  if (least !== undefined) return `of at least ${least}`;
  return greatest === undefined ? '' : `of at most ${greatest}`;
}
