import type { DecimalDigits } from '../decimal';
import { booleanKind } from './boolean.kind';
import { dateKind } from './date.kind';
import { dateTimeKind } from './date-time.kind';
import { decimalKind } from './decimal.kind';
import { enumKind } from './enum.kind';
import { int64Kind } from './int64.kind';
import { integerKind } from './integer.kind';
import type { Kind, KindColumn } from './kind';
import { numberKind } from './number.kind';
import { textKind } from './text.kind';
import { uuidKind } from './uuid.kind';

/** The kinds of values, by the names that the OpenAPI document has for them: a format, or a type. */
export const KINDS = {
  text: textKind,
  integer: integerKind,
  int64: int64Kind,
  number: numberKind,
  decimal: decimalKind,
  boolean: booleanKind,
  date: dateKind,
  'date-time': dateTimeKind,
  uuid: uuidKind,
  enum: enumKind,
} as const;

export type KindName = keyof typeof KINDS;

type StoredKind = Extract<(typeof KINDS)[KindName], { readonly column: object }>;

/** Word of a column type in migrations. */
export type ColumnWord = StoredKind['column']['word'];

/** The kinds that have a column of their own. */
export const STORED_KINDS: readonly { readonly column: KindColumn }[] = Object.values(KINDS).filter(
  (kind): kind is StoredKind => 'column' in kind,
);

const byColumn = new Map<unknown, unknown>(STORED_KINDS.map((kind) => [kind.column.type, kind]));

/** Returns the kind with a name. */
export function kindNamed(name: KindName): Kind<never> {
  return KINDS[name];
}

/** Returns the kind that columns of a type in TypeORM store, if any. */
export function kindOfColumn(
  type: unknown,
): (Kind<DecimalDigits> & { readonly column: KindColumn }) | undefined {
  return byColumn.get(type) as ReturnType<typeof kindOfColumn>;
}

/** Returns the name of the kind that a schema of the document describes. */
export function kindOfSchema(schema: {
  readonly type?: unknown;
  readonly format?: string;
  readonly enum?: unknown;
}): KindName {
  if (schema.enum) return 'enum';
  const name = [schema.format, schema.type].find(
    (each) => typeof each === 'string' && Object.hasOwn(KINDS, each),
  );
  return (name as KindName | undefined) ?? 'text';
}
