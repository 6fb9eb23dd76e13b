import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, ValidateBy } from 'class-validator';
import { parseDecimalInt64 } from '../values/int64';
import { FIELD_RULE } from './dto-members';
import { ifPresent } from './fields';

/** A query parameter that is an integer in plain decimal between two bounds, with a default. */
export function IntegerParameter(options: {
  readonly description: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}): PropertyDecorator {
  const { minimum, maximum } = options;
  return applyDecorators(
    ApiProperty({ ...options, type: 'integer', required: false }),
    Transform(({ value }) => readInteger(value, options.default)),
    ValidateBy({
      name: FIELD_RULE,
      validator: {
        validate: (value: number) => value >= minimum && value <= maximum,
        defaultMessage: (context) =>
          `${context?.property} must be a whole number from ${minimum} to ${maximum}.`,
      },
    }),
  );
}

/** Number() would take 1e1, +5, 0x10, 5.0 and 05 as well; NaN is refused by the validators that follow. */
function readInteger(value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  // Read already: another pipe asks for the same DTO.
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN;
}

/** What a filter of a list says about itself. */
export interface FilterOptions {
  readonly description: string;
}

/** A query parameter that takes one of the values of an enum, or is left out. */
export function EnumParameter(
  values: Record<string, string>,
  name: string,
  options: FilterOptions,
): PropertyDecorator {
  const allowed = Object.values(values);
  return applyDecorators(
    ApiProperty({ ...options, enum: values, enumName: name, required: false }),
    IsIn(allowed, { message: `$property must be one of ${allowed.join(', ')}.` }),
    ifPresent(),
  );
}

/** A query parameter that is a 64-bit integer in plain decimal, `bigint` in the DTO, or is left out. */
export function Int64Parameter(options: FilterOptions): PropertyDecorator {
  return filter(
    { ...options, type: 'integer', format: 'int64' },
    (text) => parseDecimalInt64(text),
    'must be an integer from -9223372036854775808 to 9223372036854775807',
  );
}

/** A query parameter that is `true` or `false`, or is left out. */
export function BooleanParameter(options: FilterOptions): PropertyDecorator {
  return filter(
    { ...options, type: 'boolean' },
    (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    'must be true or false',
  );
}

/** @param read the value of a text; undefined when it has none */
function filter(
  schema: ApiPropertyOptions,
  read: (text: string) => unknown,
  rule: string,
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...schema, required: false } as ApiPropertyOptions),
    // A text without a value stays what it is, and so is told from a parameter that was left out.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (read(value) ?? value) : value,
    ),
    ValidateBy({
      name: 'filter',
      validator: {
        validate: (value) => typeof value !== 'string',
        defaultMessage: (context) => `${context?.property} ${rule}.`,
      },
    }),
    ifPresent(),
  );
}
