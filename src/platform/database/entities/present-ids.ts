import { type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import type { Database } from '../database';
import { batchesOf } from '../statements/batches';

/** Rows that one statement looks up. */
const LOOKED_UP = 1_000;

/**
 * Returns the ids among these that rows of an entity have.
 *
 * @param where values that the rows must have besides
 */
export async function presentIds(
  { dataSource }: Database,
  entity: EntityTarget<ObjectLiteral>,
  ids: readonly bigint[],
  where: Readonly<Record<string, string>> = {},
): Promise<Set<bigint>> {
  const present = new Set<bigint>();
  for (const batch of batchesOf(ids, LOOKED_UP)) {
    const rows = await dataSource
      .getRepository(entity)
      .find({ select: { id: true }, where: { ...where, id: In(batch) } });
    for (const row of rows) present.add(row['id'] as bigint);
  }
  return present;
}
