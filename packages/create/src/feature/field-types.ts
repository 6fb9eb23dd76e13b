import {
  type DecimalDigits,
  decimals,
  doubles,
  integers,
  isDecimal,
  isDouble,
  isInt32,
  isInt64,
  type Limits,
  texts,
} from './field-samples.ts';

/** Forms of a field type in code, and its values. */
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
  /** Decorator of parameters that only ranges, beginnings and sets need. */
  readonly askedParameter?: string;
  /** Options besides those of every type. */
  readonly options: readonly string[];
  /** Tells whether a text is a value; unset, any is. */
  readonly isValue?: (text: string, digits: DecimalDigits | undefined) => boolean;
  /** Makes the text of a value for each number, and more; limits may forbid some. */
  readonly samples: (
    numbers: readonly number[],
    limits: Limits,
    digits: DecimalDigits | undefined,
  ) => string[];
  /** Expression of a value that differs for each `n`, for types without limits. */
  readonly uniqueValue?: string;
  /** True for days and times, of which one is earlier than another, not less. */
  readonly isTime?: boolean;
}

const OF_NUMBERS = ['min', 'max', 'default', 'example', 'range', 'sort'] as const;

/** The types of fields, by their names on the command line. */
export const FIELD_TYPES = {
  string: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'StringField',
    askedParameter: 'PrefixParameter',
    options: ['min', 'max', 'pattern', 'default', 'example', 'unique', 'prefix', 'sort'],
    samples: texts,
  },
  integer: {
    typescript: 'number',
    column: 'IntegerColumn',
    sql: 'integer',
    field: 'IntegerField',
    askedParameter: 'IntegerParameter',
    options: [...OF_NUMBERS, 'unique'],
    isValue: isInt32,
    samples: integers,
  },
  int64: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'Int64Field',
    askedParameter: 'Int64Parameter',
    options: [...OF_NUMBERS, 'unique', 'set'],
    isValue: isInt64,
    samples: integers,
  },
  number: {
    typescript: 'number',
    column: 'DoubleColumn',
    sql: 'double',
    field: 'NumberField',
    askedParameter: 'NumberParameter',
    options: OF_NUMBERS,
    isValue: isDouble,
    samples: doubles,
  },
  decimal: {
    typescript: 'string',
    column: 'DecimalColumn',
    sql: 'decimal',
    field: 'DecimalField',
    askedParameter: 'DecimalParameter',
    options: [...OF_NUMBERS, 'unique'],
    isValue: isDecimal,
    samples: decimals,
  },
  boolean: {
    typescript: 'boolean',
    column: 'BooleanColumn',
    sql: 'boolean',
    field: 'BooleanField',
    parameter: 'BooleanParameter',
    options: ['default'],
    isValue: (text) => text === 'true' || text === 'false',
    samples: () => ['true', 'false'],
  },
  date: {
    typescript: 'string',
    column: 'DateColumn',
    sql: 'date',
    field: 'DateField',
    askedParameter: 'DateParameter',
    options: ['unique', 'range', 'sort'],
    samples: (numbers) => numbers.map((number) => `20${26 + number}-01-31`),
    uniqueValue: `new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)`,
    isTime: true,
  },
  'date-time': {
    typescript: 'Date',
    column: 'InstantColumn',
    sql: 'instant',
    field: 'DateTimeField',
    askedParameter: 'DateTimeParameter',
    options: ['unique', 'range', 'sort'],
    samples: (numbers) => numbers.map((number) => `20${26 + number}-01-31T09:30:00.000Z`),
    uniqueValue: `new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()`,
    isTime: true,
  },
  uuid: {
    typescript: 'string',
    column: 'UuidColumn',
    sql: 'uuid',
    field: 'UuidField',
    askedParameter: 'UuidParameter',
    options: ['unique', 'set', 'sort'],
    samples: (numbers) =>
      numbers.map((number) => `9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f${(0x8e + number).toString(16)}`),
    uniqueValue: "`9f1c7a52-2f6c-4b5a-9a53-${n.toString(16).padStart(12, '0')}`",
  },
  enum: {
    typescript: 'string',
    column: 'TextColumn',
    sql: 'text',
    field: 'EnumField',
    parameter: 'EnumParameter',
    options: ['default', 'set'],
    // Its values are its own.
    samples: () => [],
  },
  ref: {
    typescript: 'bigint',
    column: 'Int64Column',
    sql: 'int64',
    field: 'ReferenceField',
    parameter: 'Int64Parameter',
    options: ['unique', 'set', 'sort'],
    samples: integers,
  },
} as const satisfies Record<string, FieldCode>;

export type FieldType = keyof typeof FIELD_TYPES;
