import { Injectable } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { Database } from '../../platform/database/database';
import type { BoundValue } from '../../platform/database/statements/row-values';
import { parameter, type Statement } from '../../platform/database/statements/statement';

interface Count {
  readonly count: bigint | number;
}

interface CountOf extends Count {
  readonly value: string | null;
}

/** An instant before any record was removed. */
const EPOCH = new Date(0);

/**
 * Counts records, each time in one statement that reads an index and no row.
 */
@Injectable()
export class StatisticsRepository {
  private readonly statements = new Map<string, Statement<unknown>>();

  constructor(private readonly database: Database) {}

  /** True if an index has the values of a field in order. */
  isIndexed(records: AdminRecords, field: string): boolean {
    const { indices } = this.metadataOf(records);
    return indices.some(({ columns, where }) => columns[0]?.propertyName === field && !where);
  }

  /** Counts all stored records, including removed ones. */
  async all(records: AdminRecords): Promise<number> {
    const count = this.statement<Count>(records, 'all', () => '1 = 1');
    return firstOf(await this.database.query(count, {}));
  }

  /** Counts records with a value in a field, including removed ones; null counts those without a value. */
  async withValue(records: AdminRecords, field: string, value: string | null): Promise<number> {
    const name = value === null ? `no ${field}` : field;
    const count = this.statement<Count>(records, name, () =>
      value === null ? `row.${field} IS NULL` : `row.${field} = :value`,
    );
    return firstOf(await this.database.query(count, { value }));
  }

  /** Counts records added from one instant until before another, including removed ones. */
  async added(records: AdminRecords, from: Date, to: Date): Promise<number> {
    const count = this.statement<Count>(
      records,
      'added',
      () => 'row.createdAt >= :from AND row.createdAt < :to',
    );
    return firstOf(await this.database.query(count, { from, to }));
  }

  /** Counts removed records by their value in a field, or all of them as one without a value. */
  async removed(records: AdminRecords, field?: string): Promise<Map<string | null, number>> {
    const counts = new Map<string | null, number>();
    if (!this.metadataOf(records).deleteDateColumn) return counts;
    // With IS NOT NULL alone SQLite reads every row in the order of the field's index, not the few in the index of removed
    // records.
    const count = this.statement<CountOf>(records, `removed ${field}`, () => 'row.removedAt > :epoch', field);
    const rows = await this.database.query(count, { epoch: EPOCH });
    for (const row of rows) counts.set(row.value ?? null, Number(row.count));
    return counts;
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }

  /** The statement with a name, prepared at its first use. */
  private statement<Row>(
    records: AdminRecords,
    name: string,
    condition: () => string,
    groupedBy?: string,
  ): Statement<Row> {
    const key = `${records.name} ${name}`;
    const known = this.statements.get(key);
    if (known) return known as Statement<Row>;
    const where = condition();
    const names = [...where.matchAll(/:(\w+)/g)].map(([, each = '']) => each);
    const values = Object.fromEntries(names.map((each) => [each, parameter(each)])) as Record<
      string,
      BoundValue
    >;
    const made = this.database.prepare<Row>(
      (manager) => {
        const query = manager
          .createQueryBuilder(records.entity, 'row')
          .withDeleted()
          .select('COUNT(*)', 'count')
          .where(where, values);
        return groupedBy ? query.addSelect(`row.${groupedBy}`, 'value').groupBy(`row.${groupedBy}`) : query;
      },
      '',
      { isScan: true },
    );
    this.statements.set(key, made);
    return made;
  }
}

function firstOf([row]: readonly Count[]): number {
  return Number(row?.count ?? 0);
}
