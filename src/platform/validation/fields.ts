import type { DecimalDigits } from '../values/decimal';
import { KINDS } from '../values/kinds/kinds';
import type { NumberLimits } from '../values/kinds/numbers';
import type { TextLimits } from '../values/kinds/text.kind';
import { field, type FieldOptions } from './field';

/** A 64-bit integer in a body: `bigint` in the DTO, exact (OpenAPI format int64). */
export function Int64Field(options: FieldOptions & NumberLimits): PropertyDecorator {
  return field(options, KINDS.int64.rule(options));
}

/** Identifier of a resource of another collection (`/pets`), or an array of them: an {@link Int64Field} whose target must exist. */
export function ReferenceField(collection: string, options: FieldOptions): PropertyDecorator {
  const rule = KINDS.int64.rule({});
  // Tools, and the tests of the contract, learn from this extension where a valid identifier comes from.
  return field(options, { ...rule, schema: { ...rule.schema, 'x-refers-to': collection } });
}

/** A 32-bit integer in a body: `number` in the DTO (OpenAPI format int32). */
export function IntegerField(options: FieldOptions & NumberLimits): PropertyDecorator {
  return field(options, KINDS.integer.rule(options));
}

/** A number in a body, kept as an IEEE 754 double (OpenAPI format double). */
export function NumberField(options: FieldOptions & NumberLimits): PropertyDecorator {
  return field(options, KINDS.number.rule(options));
}

/** A decimal in a body, exact: a `string` in the DTO, with all digits after the point (`12.50`), and a text in JSON. */
export function DecimalField(
  digits: DecimalDigits,
  options: FieldOptions & { readonly minimum?: string; readonly maximum?: string },
): PropertyDecorator {
  return field(options, KINDS.decimal.rule({ ...options, ...digits }));
}

/** true or false. */
export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(options, KINDS.boolean.rule());
}

/** Well-formed Unicode text without U+0000, which PostgreSQL cannot store. */
export function StringField(options: FieldOptions & TextLimits): PropertyDecorator {
  return field(options, KINDS.text.rule(options));
}

/** A day of the calendar, `2026-01-31` (RFC 3339 full-date): a `string` in the DTO, for it has no time zone. */
export function DateField(options: FieldOptions): PropertyDecorator {
  return field(options, KINDS.date.rule());
}

/** A point in time with its offset (RFC 3339 date-time): a `Date` in the DTO, to the millisecond; in UTC in responses. */
export function DateTimeField(options: FieldOptions): PropertyDecorator {
  return field(options, KINDS['date-time'].rule());
}

/** A UUID of any version in its canonical text form (RFC 9562), taken in either case, and in lower case in responses. */
export function UuidField(options: FieldOptions): PropertyDecorator {
  return field(options, KINDS.uuid.rule());
}

/** One of the values of an enum; a schema of its own in the document, under `name`. */
export function EnumField(
  values: Record<string, string>,
  name: string,
  options: FieldOptions & { readonly labels?: Readonly<Record<string, string>> },
): PropertyDecorator {
  const { description, labels = {} } = options;
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
    KINDS.enum.rule({ values: Object.values(values), name, labels }),
  );
}
