import { type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import type { Database } from '../database';

/** Rows that one statement looks up. */
const LOOKED_UP = 1_000;

/**
 * The ids among these that rows of an entity have.
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
  for (let start = 0; start < ids.length; start += LOOKED_UP) {
    const some = In(ids.slice(start, start + LOOKED_UP));
    const rows = await dataSource
      .getRepository(entity)
      .find({ select: { id: true }, where: { ...where, id: some } });
    for (const row of rows) present.add(row['id'] as bigint);
  }
  return present;
}
