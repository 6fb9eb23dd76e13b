import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { FIELD_RULE } from './dto-members';
import { readDate, readDateTime, readUuid } from '../values/text-formats';

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
  return int64Field(options, {});
}

function int64Field(options: FieldOptions, extension: object): PropertyDecorator {
  return field(
    options,
    { type: 'integer', format: 'int64', ...extension },
    // The JSON reader makes a bigint of exactly those numbers that are integers within int64.
    (value) => typeof value === 'bigint',
    'must be an integer from -9223372036854775808 to 9223372036854775807',
  );
}

/** Identifier of a resource of another collection (`/pets`): an {@link Int64Field} whose target must exist. */
export function ReferenceField(collection: string, options: FieldOptions): PropertyDecorator {
  // Tools, and the tests of the contract, learn from the extension where a valid identifier comes from.
  return int64Field(options, { 'x-refers-to': collection });
}

/** A 32-bit integer in a body: `number` in the DTO (OpenAPI format int32). */
export function IntegerField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value, obj }: { value: unknown; obj: object }) => {
      if (typeof value === 'bigint') return Number(value);
      // Read already: another pipe asks for the same DTO.
      if (Object.getPrototypeOf(obj) !== Object.prototype) return value;
      // What the JSON reader leaves a number is no integer by its digits, although its double may be one.
      return typeof value === 'number' ? Number.NaN : value;
    }),
    field(
      options,
      { type: 'integer', format: 'int32' },
      (value) => typeof value === 'number' && (value | 0) === value,
      'must be an integer from -2147483648 to 2147483647',
    ),
  );
}

/** A number in a body, kept as an IEEE 754 double (OpenAPI format double). */
export function NumberField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'bigint' ? Number(value) : value)),
    field(
      options,
      { type: 'number', format: 'double' },
      (value) => typeof value === 'number' && Number.isFinite(value),
      'must be a number within the range of a double',
    ),
  );
}

/** true or false. */
export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: 'boolean' }, (value) => typeof value === 'boolean', 'must be true or false');
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

/** A day of the calendar, `2026-01-31` (RFC 3339 full-date): a `string` in the DTO, for it has no time zone. */
export function DateField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date' },
    (value) => readDate(value) !== undefined,
    'must be a date such as 2026-01-31',
  );
}

/** A point in time with its offset (RFC 3339 date-time): a `Date` in the DTO, to the millisecond; answered in UTC. */
export function DateTimeField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => readDateTime(value) ?? value),
    field(
      options,
      { type: 'string', format: 'date-time' },
      (value) => value instanceof Date,
      'must be a date and time with an offset such as 2026-01-31T09:30:00Z',
    ),
  );
}

/** A UUID of any version in its canonical text form (RFC 9562), taken in either case and answered in lower case. */
export function UuidField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => readUuid(value) ?? value),
    field(
      options,
      { type: 'string', format: 'uuid' },
      (value) => readUuid(value) !== undefined,
      'must be a UUID such as 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
    ),
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
  const property = { ...schema, description, example, required: !optional } as ApiPropertyOptions;
  return applyDecorators(
    ApiProperty(property),
    ValidateBy({
      name: FIELD_RULE,
      validator: { validate: isValid, defaultMessage: (context) => `${context?.property} ${rule}.` },
    }),
    ...(optional ? [ifPresent(), markOptional(property)] : []),
  );
}

/** class-validator's own IsOptional would accept null as well. */
export function ifPresent(): PropertyDecorator {
  return (target, property) =>
    ValidateIf((dto: Record<string | symbol, unknown>) => dto[property] !== undefined)(target, property);
}

const OPTIONAL_METADATA = 'petstore:optional-fields';

type DocumentedFields = Readonly<Record<string, ApiPropertyOptions>>;

function markOptional(documented: ApiPropertyOptions): PropertyDecorator {
  return ({ constructor }, name) => {
    const fields = { ...optionalFields(constructor), [name as string]: documented };
    Reflect.defineMetadata(OPTIONAL_METADATA, fields, constructor);
  };
}

/** The fields a DTO class declares optional, by name, as they are documented. */
export function optionalFields(dto: Function): DocumentedFields {
  return (Reflect.getMetadata(OPTIONAL_METADATA, dto) as DocumentedFields | undefined) ?? {};
}
