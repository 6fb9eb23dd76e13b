/** Forms of a field type in code. */
export interface FieldCode {
  /** Type in classes; an enum has its own name, an array adds brackets. */
  readonly typescript: string;
  /** Decorator of the entity's column. */
  readonly column: string;
  /** Column type in a migration. */
  readonly sql: string;
  /** Decorator of the DTO's field. */
  readonly field: string;
  /** Decorator of the list's parameter, for types that lists can be filtered by. */
  readonly parameter?: string;
}

/** The types of fields, by their names on the command line. */
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
