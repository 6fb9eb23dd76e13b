/** How a type of fields appears in code. */
export interface FieldCode {
  /** In classes; with an enum it is the enum's own name. */
  readonly typescript: string;
  /** The decorator of the entity's column. */
  readonly column: string;
  /** The column's type in a migration. */
  readonly sql: string;
  /** The decorator of the DTO's field. */
  readonly field: string;
  /** The decorator of the list's parameter, for types that lists can be filtered by. */
  readonly parameter?: string;
  /** Two values, as expressions: the document shows the first, a test changes it to the second. Enums have their own. */
  readonly values: readonly [string, string];
}

/** The types fields have, by what they are called on the command line. */
export const FIELD_TYPES = {
  string: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'StringField',
    values: [`'some text'`, `'other text'`],
  },
  integer: {
    typescript: 'number',
    column: 'IntegerColumn',
    sql: 'integer',
    field: 'IntegerField',
    values: ['1', '2'],
  },
  int64: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'Int64Field',
    values: ['1', '2'],
  },
  number: {
    typescript: 'number',
    column: 'DoubleColumn',
    sql: 'double',
    field: 'NumberField',
    values: ['1.5', '2.5'],
  },
  boolean: {
    typescript: 'boolean',
    column: 'BooleanColumn',
    sql: 'boolean',
    field: 'BooleanField',
    parameter: 'BooleanParameter',
    values: ['true', 'false'],
  },
  date: {
    typescript: 'string',
    column: 'DateColumn',
    sql: 'date',
    field: 'DateField',
    values: [`'2026-01-31'`, `'2026-02-28'`],
  },
  'date-time': {
    typescript: 'Date',
    column: 'InstantColumn',
    sql: 'instant',
    field: 'DateTimeField',
    values: [`'2026-01-31T09:30:00.000Z'`, `'2026-02-28T18:00:00.000Z'`],
  },
  uuid: {
    typescript: 'string',
    column: 'UuidColumn',
    sql: 'uuid',
    field: 'UuidField',
    values: [`'9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'`, `'0b6e0c3e-8f0e-4d2b-9a55-6d1c3a0f7e21'`],
  },
  enum: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'EnumField',
    parameter: 'EnumParameter',
    values: ['', ''],
  },
  ref: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'ReferenceField',
    parameter: 'Int64Parameter',
    values: ['1', '2'],
  },
} as const satisfies Record<string, FieldCode>;

export type FieldType = keyof typeof FIELD_TYPES;
