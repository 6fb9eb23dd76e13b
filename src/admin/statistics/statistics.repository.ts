import { Injectable } from '@nestjs/common';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { Database } from '../../platform/database/database';
import { countRowsUpTo } from '../../platform/database/entities/count-up-to';
import { hasValue } from '../../platform/database/statements/where';

type Rows = SelectQueryBuilder<ObjectLiteral>;

/** An instant before any record was removed. */
const EPOCH = new Date(0);

/** A limit for rows that an engine reads in the order of an index, and not in that of the table or of another index. */
const ALL = Number.MAX_SAFE_INTEGER;

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
  async all({ entity }: AdminRecords): Promise<number> {
    return this.database.scan(entity, (table) => table.count({ withDeleted: true }));
  }

  /** Counts records with a value in a field, including removed ones; null counts those without a value. */
  withValue(records: AdminRecords, field: string, value: string | null): Promise<number> {
    const { engine, dataSource } = this.database;
    const isValue = hasValue(engine, dataSource.getMetadata(records.entity), field, `row.${field}`, 'value');
    return this.count(records, field, (rows) =>
      value === null ? rows.where(`row.${field} IS NULL`) : rows.where(isValue, { value }),
    );
  }

  /** Counts records added from one instant until before another, including removed ones. */
  added(records: AdminRecords, from: Date, to: Date): Promise<number> {
    return this.count(records, 'createdAt', (rows) =>
      rows.where('row.createdAt >= :from AND row.createdAt < :to', { from, to }),
    );
  }

  /** Counts removed records by their value in a field, or all of them as one without a value. */
  async removed({ entity }: AdminRecords, field?: string): Promise<Map<string | null, number>> {
    if (!this.database.dataSource.getMetadata(entity).deleteDateColumn) return new Map();
    const counts = await this.database.scan(entity, (table) => {
      // Grouped at once, SQLite may read every row in the order of the field's index, not the few in the index of removed records.
      const rows = table
        .createQueryBuilder('row')
        .withDeleted()
        .select(`row.${field ?? 'id'}`, 'value')
        .where('row.removedAt > :epoch', { epoch: EPOCH })
        .orderBy('row.removedAt')
        .limit(ALL);
      const query = rows.createQueryBuilder().select('COUNT(*)', 'count').setParameters(rows.getParameters());
      query.from(`(${rows.getQuery()})`, 'removed');
      if (field) query.addSelect('removed.value', 'value').groupBy('removed.value');
      return query.getRawMany<{ count: bigint | string; value?: string | null }>();
    });
    return new Map(counts.map(({ value, count }) => [value ?? null, Number(count)]));
  }

  /** @param field member in whose order an index has the rows */
  private count({ entity }: AdminRecords, field: string, where: (rows: Rows) => Rows): Promise<number> {
    return this.database.scan(entity, (table) => {
      const rows = where(table.createQueryBuilder('row').withDeleted().select('row.id'));
      return countRowsUpTo(rows.orderBy(`row.${field}`), ALL);
    });
  }
}
