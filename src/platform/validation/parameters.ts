import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { ifPresent } from './fields';

/** A query parameter that is an integer in plain decimal between two bounds, with a default. */
export function IntegerParameter(options: {
  readonly description: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}): PropertyDecorator {
  const { minimum, maximum } = options;
  const message = `$property must be a whole number from ${minimum} to ${maximum}.`;
  return applyDecorators(
    ApiProperty({ ...options, type: 'integer', required: false }),
    Transform(({ value }) => readInteger(value, options.default)),
    IsInt({ message }),
    Min(minimum, { message }),
    Max(maximum, { message }),
  );
}

/** Number() would take 1e1, +5, 0x10, 5.0 and 05 as well; NaN is refused by the validators that follow. */
function readInteger(value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  return typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN;
}

/** A query parameter that takes one of the values of an enum, or is left out. */
export function EnumParameter(
  values: Record<string, string>,
  name: string,
  options: { readonly description: string },
): PropertyDecorator {
  const allowed = Object.values(values);
  return applyDecorators(
    ApiProperty({ ...options, enum: values, enumName: name, required: false }),
    IsIn(allowed, { message: `$property must be one of ${allowed.join(', ')}.` }),
    ifPresent(),
  );
}
