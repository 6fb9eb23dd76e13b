import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import type { DecimalDigits } from '../values/decimal';
import { parsePlainInteger } from '../values/kinds/integer.kind';
import type { Kind } from '../values/kinds/kind';
import { KINDS } from '../values/kinds/kinds';
import { ifPresent } from './field';
import { fieldRule, type RuleFault } from './field-rule';
import { listFilter, listOrders, rangeFilter, type RangeOptions } from './list-filters';

/** Options of every filter of a list. */
export interface FilterOptions {
  readonly description: string;
}

/**
 * Options of a filter that keeps one value, or one of several: then the member is an array, and the parameter may be repeated.
 */
export interface ValueOptions extends FilterOptions {
  readonly isArray?: boolean;
}

/**
 * Options of a bound of a range: its field, and whether the bound is the least value, the greatest, or the first that is too
 * great.
 */
export type BoundOptions = FilterOptions & RangeOptions;

/** Most values of a repeated parameter. */
const MOST_VALUES = 50;

/** A query parameter that is an integer in plain decimal between two bounds, with a default. */
export function IntegerParameter(options: {
  readonly description: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}): PropertyDecorator;
/** A filter that is a 32-bit integer in plain decimal, or is left out. */
export function IntegerParameter(options: ValueOptions | BoundOptions): PropertyDecorator;
export function IntegerParameter(
  options: (ValueOptions | BoundOptions) | { minimum: number; maximum: number; default: number },
): PropertyDecorator {
  if (!('default' in options)) {
    return ofKind(options, KINDS.integer, {});
  }
  const { minimum, maximum } = options;
  return applyDecorators(
    ApiProperty({ ...options, type: 'integer', required: false }),
    Transform(({ value }) => readInteger(value, options.default)),
    fieldRule(
      (value) => typeof value === 'number' && value >= minimum && value <= maximum,
      () => ({ predicate: `must be a whole number from ${minimum} to ${maximum}` }),
    ),
  );
}

/** Reads an integer; the rule refuses NaN. */
function readInteger(value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  // Already read: another pipe asks for the same DTO.
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (parsePlainInteger(value) ?? Number.NaN) : Number.NaN;
}

/** A filter that takes one of the values of an enum, or is left out. */
export function EnumParameter(
  values: Record<string, string>,
  name: string,
  options: ValueOptions,
): PropertyDecorator {
  return ofKind(options, KINDS.enum, { values: Object.values(values), name });
}

/** A filter that is a 64-bit integer in plain decimal, `bigint` in the DTO, or is left out. */
export function Int64Parameter(options: ValueOptions | BoundOptions): PropertyDecorator {
  return ofKind(options, KINDS.int64, {});
}

/** A filter that is a number as JSON writes it, kept as an IEEE 754 double, or is left out. */
export function NumberParameter(options: BoundOptions): PropertyDecorator {
  return ofKind(options, KINDS.number, {});
}

/** A filter that is a decimal, a `string` in the DTO as the entity has it, or is left out. */
export function DecimalParameter(digits: DecimalDigits, options: BoundOptions): PropertyDecorator {
  return ofKind(options, KINDS.decimal, digits);
}

/** A filter that is `true` or `false`, or is left out. */
export function BooleanParameter(options: FilterOptions): PropertyDecorator {
  return ofKind(options, KINDS.boolean, {});
}

/** A filter that is a day of the calendar, `2026-01-31`, or is left out. */
export function DateParameter(options: ValueOptions | BoundOptions): PropertyDecorator {
  return ofKind(options, KINDS.date, {});
}

/** A filter that is a point in time with its offset, a `Date` in the DTO, or is left out. */
export function DateTimeParameter(options: BoundOptions): PropertyDecorator {
  return ofKind(options, KINDS['date-time'], {});
}

/** A filter that is a UUID in either case, or is left out. */
export function UuidParameter(options: ValueOptions): PropertyDecorator {
  return ofKind(options, KINDS.uuid, {});
}

/** A filter that is the beginning of a text, in its letter case, or is left out. */
export function PrefixParameter(options: FilterOptions & { readonly prefix: string }): PropertyDecorator {
  return filter(
    options,
    { type: 'string', minLength: 1, maxLength: MAX_PREFIX },
    (text) =>
      text !== '' && Array.from(text).length <= MAX_PREFIX && !text.includes('\0') ? text : undefined,
    { predicate: `must have 1 to ${MAX_PREFIX} characters, none of them U+0000` },
  );
}

const MAX_PREFIX = 100;

/**
 * Declares the parameter that sorts a list: `name` in ascending order of a field, `-name` in descending order, by `id` unless
 * it is given. Items without a value come last either way.
 *
 * @param fields by which a list can be sorted, besides the `id`
 */
export function SortParameter(...fields: readonly string[]): PropertyDecorator {
  const allowed = ['id', ...fields].flatMap((field) => [field, `-${field}`]);
  return applyDecorators(
    ApiProperty({
      type: 'string',
      enum: allowed,
      default: 'id',
      description:
        'In which order: by a field, in descending order with a hyphen before it. Items without a value come last.',
      required: false,
    }),
    fieldRule(
      (value) => allowed.includes(value as string),
      () => ({ predicate: `must be one of ${allowed.join(', ')}` }),
    ),
    ifPresent(),
    listOrders(['id', ...fields]),
  );
}

/** Declares a filter that takes values of a kind. */
function ofKind<Options>(
  options: ValueOptions | BoundOptions,
  kind: Kind<Options>,
  limits: Options,
): PropertyDecorator {
  const { schema, sentence, textSentence = sentence, plainSentence } = kind.rule(limits);
  const rule = { predicate: textSentence, plainPredicate: plainSentence };
  return filter(options, schema, (text) => kind.fromText(text, limits), rule);
}

/**
 * Declares a filter.
 *
 * @param read returns the value of a text; undefined for an invalid text
 */
function filter(
  options: ValueOptions | BoundOptions | (FilterOptions & { readonly prefix: string }),
  schema: object,
  read: (text: string) => unknown,
  { predicate, plainPredicate }: RuleFault,
): PropertyDecorator {
  const isArray = 'isArray' in options && options.isArray === true;
  // An enum has few values, and so needs no limit.
  const isLimited = isArray && !('enum' in schema);
  const often = isLimited ? `, given ${MOST_VALUES} times at most` : '';
  const fault = {
    predicate: predicate + often,
    plainPredicate: plainPredicate === undefined ? undefined : plainPredicate + often,
  };
  // Values other than texts are already read: another pipe asks for the same DTO. An invalid text becomes null, which differs
  // from a parameter that is left out.
  const readOne = (value: unknown) => (typeof value === 'string' ? (read(value) ?? null) : value);
  const isValid = (value: unknown) =>
    isArray
      ? (value as unknown[]).length <= MOST_VALUES && !(value as unknown[]).includes(null)
      : value !== null;
  return applyDecorators(
    ApiProperty({
      ...schema,
      ...(isArray && { isArray }),
      ...(isLimited && { maxItems: MOST_VALUES }),
      description: options.description,
      required: false,
    }),
    Transform(({ value }: { value: unknown }) =>
      isArray && value !== undefined ? [...new Set([value].flat().map(readOne))] : readOne(value),
    ),
    fieldRule(isValid, () => fault),
    ifPresent(),
    noteFilter(options, isArray),
  );
}

function noteFilter(
  options: ValueOptions | BoundOptions | (FilterOptions & { readonly prefix: string }),
  isArray: boolean,
): PropertyDecorator {
  if ('prefix' in options) return listFilter('prefix', options.prefix);
  if ('from' in options || 'to' in options || 'before' in options) return rangeFilter(options);
  return listFilter(isArray ? 'in' : 'is');
}
