import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

/** What every field says about itself. */
export interface FieldOptions {
  readonly description: string;
  /** Shown in the document; must be valid. */
  readonly example: string | number | boolean;
  /** May be left out. null is still refused. */
  readonly optional?: boolean;
}

/** A 64-bit integer in a body: `bigint` in the DTO, exact (OpenAPI format int64). */
export function Int64Field(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'integer', format: 'int64' },
    // The JSON reader makes a bigint of exactly those numbers that are integers within int64.
    (value) => typeof value === 'bigint',
    'must be an integer from -9223372036854775808 to 9223372036854775807',
  );
}

/** Well-formed Unicode text without U+0000, which PostgreSQL cannot store. */
export function StringField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'string' },
    (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
    'must be a string of well-formed Unicode without U+0000',
  );
}

/** One of the values of an enum; a schema of its own in the document, under `name`. */
export function EnumField(
  values: Record<string, string>,
  name: string,
  options: FieldOptions,
): PropertyDecorator {
  const allowed = Object.values(values);
  return field(
    options,
    { enum: values, enumName: name },
    (value) => allowed.includes(value as string),
    `must be one of ${allowed.join(', ')}`,
  );
}

function field(
  { description, example, optional = false }: FieldOptions,
  schema: ApiPropertyOptions,
  isValid: (value: unknown) => boolean,
  rule: string,
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...schema, description, example, required: !optional } as ApiPropertyOptions),
    ValidateBy({
      name: 'field',
      validator: { validate: isValid, defaultMessage: (context) => `${context?.property} ${rule}.` },
    }),
    ...(optional ? [ifPresent()] : []),
  );
}

/** class-validator's own IsOptional would accept null as well. */
export function ifPresent(): PropertyDecorator {
  return (target, property) =>
    ValidateIf((dto: Record<string | symbol, unknown>) => dto[property] !== undefined)(target, property);
}
