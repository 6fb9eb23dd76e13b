import type { ObjectLiteral, Repository } from 'typeorm';
import { keyRanges } from './key-ranges';

/**
 * Stores a value in all rows that have none in a column, of an entity whose key is `id`: in batches by key, each a transaction of
 * its own, so that no row is locked for long.
 *
 * @param name the member of the entity
 */
export async function fillColumn<Row extends ObjectLiteral, Name extends keyof Row & string>(
  repository: Repository<Row>,
  name: Name,
  value: NonNullable<Row[Name]>,
): Promise<void> {
  const { metadata, manager } = repository;
  const column = metadata.findColumnWithPropertyName(name)?.databaseName;
  for await (const range of keyRanges(manager.dataSource, metadata.tableName)) {
    await manager
      .createQueryBuilder()
      .update<ObjectLiteral>(metadata.target)
      .set({ [name]: value })
      .where(`${range} AND "${column}" IS NULL`)
      .execute();
  }
}
