import type { LinkedField } from './references.ts';
import { textLiteral } from '../text/spelling.ts';

/** The default of a column, as it is written so that TypeORM finds entity and table equal on both engines. */
export interface ColumnDefault {
  /** The option of the entity's column. */
  readonly option: string;
  /** The member of the column in a migration, which is SQL. */
  readonly member: string;
}

/**
 * The default of the column of a field that is added to rows; undefined of one without.
 *
 * PostgreSQL remembers a number as a text, `'5'::bigint`, but for a decimal with a point.
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
