/** How a type of fields appears in code. */
export interface FieldCode {
  /** In classes: of an enum its own name, of an array with brackets behind it. */
  readonly typescript: string;
  /** The decorator of the entity's column. */
  readonly column: string;
  /** The column's type in a migration. */
  readonly sql: string;
  /** The decorator of the DTO's field. */
  readonly field: string;
  /** The decorator of the list's parameter, for types that lists can be filtered by. */
  readonly parameter?: string;
}

/** The types fields have, by what they are called on the command line. */
export const FIELD_TYPES = {
  string: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'StringField',
  },
  integer: {
    typescript: 'number',
    column: 'IntegerColumn',
    sql: 'integer',
    field: 'IntegerField',
  },
  int64: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'Int64Field',
  },
  number: {
    typescript: 'number',
    column: 'DoubleColumn',
    sql: 'double',
    field: 'NumberField',
  },
  decimal: {
    typescript: 'string',
    column: 'DecimalColumn',
    sql: 'decimal',
    field: 'DecimalField',
  },
  boolean: {
    typescript: 'boolean',
    column: 'BooleanColumn',
    sql: 'boolean',
    field: 'BooleanField',
    parameter: 'BooleanParameter',
  },
  date: {
    typescript: 'string',
    column: 'DateColumn',
    sql: 'date',
    field: 'DateField',
  },
  'date-time': {
    typescript: 'Date',
    column: 'InstantColumn',
    sql: 'instant',
    field: 'DateTimeField',
  },
  uuid: {
    typescript: 'string',
    column: 'UuidColumn',
    sql: 'uuid',
    field: 'UuidField',
  },
  enum: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'EnumField',
    parameter: 'EnumParameter',
  },
  ref: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'ReferenceField',
    parameter: 'Int64Parameter',
  },
} as const satisfies Record<string, FieldCode>;

export type FieldType = keyof typeof FIELD_TYPES;
