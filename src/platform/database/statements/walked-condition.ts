import type { EntityMetadata } from 'typeorm';
import { INT64_MAX, INT64_MIN } from '../../values/int64';
import type { Engine } from '../column-types';
import { type ColumnSql, type Comparison, comparisonOf, leadingConditionOf, type Term } from './where';

/** The id at a bound of (column, id): before or after all ids that rows with the value can have. */
const IDS: Readonly<Partial<Record<Comparison, bigint>>> = {
  from: INT64_MIN,
  prefix: INT64_MIN,
  to: INT64_MAX,
  before: INT64_MIN,
  end: INT64_MIN,
};

/**
 * The condition of a comparison with a column in whose order rows with an int64 `id` are read. Of two bounds whose values it does
 * not know PostgreSQL expects so few rows that it reads and sorts all that there are; not so of bounds of (column, id).
 */
export function walkedConditionOf(
  engine: Engine,
  metadata: EntityMetadata,
  term: Term,
  column: ColumnSql,
): string {
  const id = IDS[term.comparison];
  if (id === undefined || engine === 'sqlite') return leadingConditionOf(engine, metadata, term, column);
  const [compared, operator, value] = comparisonOf(engine, metadata, term, column);
  return `(${compared}, ${column('id')}) ${operator} (${value}, CAST('${id}' AS bigint))`;
}
