import type { LinkedField } from './references.ts';
import { textLiteral } from '../text/spelling.ts';

/** The default of a column, written so that TypeORM finds no difference between entity and table on either engine. */
export interface ColumnDefault {
  /** Option of the entity's column. */
  readonly option: string;
  /** Member of the column in a migration, which is SQL. */
  readonly member: string;
}

/**
 * The default of the column of a field that is added to a table with rows; undefined if the field has no default.
 *
 * PostgreSQL remembers a number as a text, `'5'::bigint`, but not a decimal with a point.
 */
export function columnDefault({ type, isLater, options }: LinkedField): ColumnDefault | undefined {
  const { default: value } = options;
  if (!isLater || value === undefined) return undefined;
  if (type === 'boolean' || (type === 'decimal' && value.includes('.'))) {
    return { option: `() => ${textLiteral(value)}`, member: textLiteral(value) };
  }
  const text = (type === 'number' ? String(Number(value)) : value).replaceAll("'", "''");
  return { option: textLiteral(text), member: textLiteral(`'${text}'`) };
}
