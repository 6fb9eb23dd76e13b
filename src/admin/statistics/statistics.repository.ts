import { Injectable } from '@nestjs/common';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { Database } from '../../platform/database/database';

/** An instant before any record was removed. */
const EPOCH = new Date(0);

/** Counts records, each time in one statement that reads an index and no row. */
@Injectable()
export class StatisticsRepository {
  constructor(private readonly database: Database) {}

  /** True if an index has the values of a field in order. */
  isIndexed({ entity }: AdminRecords, field: string): boolean {
    const { indices } = this.database.dataSource.getMetadata(entity);
    return indices.some(({ columns, where }) => columns[0]?.propertyName === field && !where);
  }

  /** Counts all stored records, including removed ones. */
  all(records: AdminRecords): Promise<number> {
    return this.count(records, (rows) => rows);
  }

  /** Counts records with a value in a field, including removed ones; null counts those without a value. */
  withValue(records: AdminRecords, field: string, value: string | null): Promise<number> {
    return this.count(records, (rows) =>
      value === null ? rows.where(`row.${field} IS NULL`) : rows.where(`row.${field} = :value`, { value }),
    );
  }

  /** Counts records added from one instant until before another, including removed ones. */
  added(records: AdminRecords, from: Date, to: Date): Promise<number> {
    return this.count(records, (rows) =>
      rows.where('row.createdAt >= :from AND row.createdAt < :to', { from, to }),
    );
  }

  /** Counts removed records by their value in a field, or all of them as one without a value. */
  async removed({ entity }: AdminRecords, field?: string): Promise<Map<string | null, number>> {
    if (!this.database.dataSource.getMetadata(entity).deleteDateColumn) return new Map();
    const rows = await this.database.scan(entity, (table) => {
      // With IS NOT NULL alone SQLite reads every row in the order of the field's index, not the few in the index of removed
      // records.
      const query = counted(table.createQueryBuilder('row')).where('row.removedAt > :epoch', {
        epoch: EPOCH,
      });
      if (field) query.addSelect(`row.${field}`, 'value').groupBy(`row.${field}`);
      return query.getRawMany<{ count: bigint | string; value?: string | null }>();
    });
    return new Map(rows.map(({ value, count }) => [value ?? null, Number(count)]));
  }

  private async count(
    { entity }: AdminRecords,
    where: (rows: SelectQueryBuilder<ObjectLiteral>) => SelectQueryBuilder<ObjectLiteral>,
  ): Promise<number> {
    const row = await this.database.scan(entity, (table) =>
      where(counted(table.createQueryBuilder('row'))).getRawOne<{ count: bigint | string }>(),
    );
    return Number(row?.count ?? 0);
  }
}

function counted(rows: SelectQueryBuilder<ObjectLiteral>): SelectQueryBuilder<ObjectLiteral> {
  return rows.withDeleted().select('COUNT(*)', 'count');
}
