import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Row that {@link countUpTo} returns. Drivers return a big number as text or as a bigint. */
export interface Counted {
  readonly count: bigint | string | number;
}

/**
 * Returns the query that counts the rows of another, up to a limit: it reads no more rows than that, however many there are.
 */
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

/** Counts the rows of a query like {@link countUpTo}. */
export async function countRowsUpTo(
  query: SelectQueryBuilder<ObjectLiteral>,
  limit: number,
): Promise<number> {
  return Number((await countUpTo(query, limit).getRawOne<Counted>())?.count);
}
