import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** What {@link countUpTo} returns: one row. Drivers return a big number as text or as a bigint. */
export interface Counted {
  readonly count: bigint | string | number;
}

/** The query that counts what another finds, up to a limit: so it reads no more rows than that, however many there are. */
export function countUpTo(
  query: SelectQueryBuilder<ObjectLiteral>,
  limit: number,
): SelectQueryBuilder<ObjectLiteral> {
  return query
    .createQueryBuilder()
    .select('COUNT(*)', 'count')
    .from(`(${query.limit(limit).getQuery()})`, 'matching')
    .setParameters(query.getParameters());
}
