import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../../platform/features/admin-records';
import { type RecordField, fieldsOf } from '../records/record-fields';
import { RecordsService } from '../records/records.service';
import { StatisticsRepository } from './statistics.repository';
import { MINUTE_MS } from '../../platform/values/calendar';
import { Steps } from './steps';

/** Number of records with a value. */
export interface ValueCount {
  /** Null for records without a value. */
  readonly value: string | null;
  readonly count: number;
}

/** Numbers of records by the values of one field. */
export interface FieldStatistics {
  readonly field: RecordField;
  /** Counts in the order in which the field declares its values; records without a value come last, if it is optional. */
  readonly counts: readonly ValueCount[];
}

/** Numbers of records added day by day, including those removed since. */
export interface DailyCounts {
  readonly steps: Steps;
  readonly counts: readonly number[];
}

/** Numbers of records of one type. */
export interface RecordStatistics {
  readonly recordType: AdminRecords;
  readonly total: number;
  readonly byField: readonly FieldStatistics[];
  /** The last 30 days; undefined if it is unknown when records were added, or if that has no index. */
  readonly added: DailyCounts | undefined;
  /** Time of the count. */
  readonly at: Date;
}

/** Lifetime of cached statistics, in milliseconds: counting a million records takes SQLite some 50. */
const CACHED_MS = 30_000;
const DAYS = 30;

/** Counts the records of every feature that describes some, by the fields of their descriptors. */
@Injectable()
export class StatisticsService {
  private readonly cache = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();

  constructor(
    private readonly records: RecordsService,
    private readonly counts: StatisticsRepository,
  ) {}

  /** Counts the records of a type, at most half a minute ago. */
  of(recordType: AdminRecords): Promise<RecordStatistics> {
    return this.cached(recordType.name, () => this.count(recordType));
  }

  /** Counts the records of a type added in the last minutes, including those removed since, at most half a minute ago. */
  addedWithin(recordType: AdminRecords, minutes: number): Promise<number> {
    return this.cached(`${recordType.name} ${minutes}`, () => {
      const now = Date.now();
      return this.counts.added(recordType, new Date(now - minutes * MINUTE_MS), new Date(now));
    });
  }

  private cached<T>(name: string, count: () => Promise<T>): Promise<T> {
    const cached = this.cache.get(name);
    if (cached && performance.now() - cached.at < CACHED_MS) return cached.value as Promise<T>;
    const value = count();
    this.cache.set(name, { at: performance.now(), value });
    // An error is not cached: the next request asks the database.
    value.catch(() => this.cache.delete(name));
    return value;
  }

  private async count(recordType: AdminRecords): Promise<RecordStatistics> {
    const at = new Date();
    const byField: FieldStatistics[] = [];
    for (const field of fieldsOf(recordType.record)) {
      if (field.kind !== 'enum' || !this.counts.isIndexed(recordType, field.name)) continue;
      byField.push({ field, counts: await this.byValue(recordType, field) });
    }
    const [first] = byField;
    const total = first ? sum(first.counts.map(({ count }) => count)) : await this.counts.total(recordType);
    const isCounted =
      this.records.listFacts(recordType).isDated && this.counts.isIndexed(recordType, 'createdAt');
    return {
      recordType,
      total,
      byField,
      added: isCounted ? await this.added(recordType, at) : undefined,
      at,
    };
  }

  private async byValue(
    recordType: AdminRecords,
    { name, values, isOptional }: RecordField,
  ): Promise<ValueCount[]> {
    const counts: ValueCount[] = [];
    for (const value of isOptional ? [...values, null] : values) {
      counts.push({ value, count: await this.counts.withValue(recordType, name, value) });
    }
    return counts;
  }

  private async added(recordType: AdminRecords, now: Date): Promise<DailyCounts> {
    const steps = Steps.lastDays(DAYS, now.getTime());
    const counts: number[] = [];
    for (const day of steps.instants) {
      counts.push(await this.counts.added(recordType, day, new Date(day.getTime() + steps.ms)));
    }
    return { steps, counts };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
