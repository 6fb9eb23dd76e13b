import { Injectable } from '@nestjs/common';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { Database } from '../../platform/database/database';
import { countRowsUpTo } from '../../platform/database/entities/count-up-to';
import { isInOrder } from '../../platform/database/statements/list-indexes';
import { hasValue } from '../../platform/database/statements/where';

type Rows = SelectQueryBuilder<ObjectLiteral>;

/** A limit for rows that an engine reads in the order of an index, and not in that of the table or of another index. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Counts records, each time in one statement that reads an index and no row. */
@Injectable()
export class StatisticsRepository {
  constructor(private readonly database: Database) {}

  /** True if an index has the values of a field in order. */
  isIndexed({ entity }: AdminRecords, field: string): boolean {
    const metadata = this.database.dataSource.getMetadata(entity);
    return (
      metadata.indices.some(({ columns, where }) => columns[0]?.propertyName === field && !where) ||
      isInOrder(metadata, field, 'all')
    );
  }

  /** Counts records. */
  async total({ entity }: AdminRecords): Promise<number> {
    return this.database.scan(entity, (table) => table.count());
  }

  /** Counts records with a value in a field; null counts those without a value. */
  withValue({ entity }: AdminRecords, field: string, value: string | null): Promise<number> {
    const { engine, dataSource } = this.database;
    const isValue = hasValue(engine, dataSource.getMetadata(entity), field, `row.${field}`, 'value');
    return this.count(entity, field, (rows) =>
      value === null ? rows.where(`row.${field} IS NULL`) : rows.where(isValue, { value }),
    );
  }

  /** Counts records added from one instant until before another, including removed ones. */
  async added({ entity }: AdminRecords, from: Date, to: Date): Promise<number> {
    const since = (rows: Rows) => rows.where('row.createdAt >= :from AND row.createdAt < :to', { from, to });
    const { deleteDateColumn } = this.database.dataSource.getMetadata(entity);
    const present = await this.count(entity, 'createdAt', since);
    if (!deleteDateColumn) return present;
    const removed = (rows: Rows) => since(rows).withDeleted().andWhere('row.removedAt IS NOT NULL');
    return present + (await this.count(entity, 'createdAt', removed));
  }

  /** @param field member in whose order an index has the rows */
  private count(entity: AdminRecords['entity'], field: string, where: (rows: Rows) => Rows): Promise<number> {
    return this.database.scan(entity, (table) => {
      const rows = where(table.createQueryBuilder('row').select('row.id'));
      return countRowsUpTo(rows.orderBy(`row.${field}`), ALL);
    });
  }
}
