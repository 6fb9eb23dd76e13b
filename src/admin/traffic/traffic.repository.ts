import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { EntityRepository } from '../../platform/database/entities/entity-repository';
import { insertion } from '../../platform/database/statements/statement';
import { ServingProcess } from './serving-process.entity';
import { COUNTS } from './traffic-counts';
import { TrafficMinute } from './traffic-minute.entity';

/** What all processes together served in a span of time. */
export type TrafficSums = Omit<TrafficMinute, 'processId'>;

/** Processes that are listed at most: some days of restarts. */
const PROCESS_LIMIT = 200;

/** Serving processes and what they served, in the database. */
@Injectable()
export class TrafficRepository {
  private readonly minutes = new EntityRepository(this.database, TrafficMinute);
  private readonly servingProcesses = new EntityRepository(this.database, ServingProcess);
  private readonly upsert = this.database.prepare<object>(
    (manager) => insertion(manager, TrafficMinute, ['minute', 'processId', ...COUNTS]),
    `ON CONFLICT ("minute", "process_id") DO UPDATE SET ${this.overwriting()} WHERE excluded."requests" > "traffic_minutes"."requests" RETURNING "minute"`,
  );

  constructor(private readonly database: Database) {}

  /**
   * Writes all that a process served in a minute so far. Where the minute is stored already the larger count stays: counts
   * only grow, and a write that was given up may still come through after a later one.
   */
  async writeMinute(minute: Readonly<TrafficMinute>): Promise<void> {
    await this.database.query(this.upsert, { ...minute });
  }

  /** Writes that a process is there. */
  async writeProcess(process: Readonly<ServingProcess>): Promise<void> {
    await this.servingProcesses.repository.upsert(process, ['id']);
  }

  /**
   * What was served from one minute until before another, added up over all processes in steps of some
   * minutes. Steps without any are left out.
   */
  async sums(from: number, to: number, step: number): Promise<TrafficSums[]> {
    const rows = await this.database.scan(TrafficMinute, (table) => {
      // Whole numbers by construction, and no parameters: PostgreSQL would not see that both are the same.
      const [first, length] = [Math.trunc(from), Math.trunc(step)];
      const start = `(served.minute - ${first}) / ${length} * ${length} + ${first}`;
      const query = table.createQueryBuilder('served').select(start, 'minute');
      for (const name of COUNTS) query.addSelect(`SUM(served.${name})`, name);
      return query
        .where('served.minute >= :from AND served.minute < :to', { from, to })
        .groupBy(start)
        .orderBy(start)
        .getRawMany<Record<keyof TrafficSums, bigint | number>>();
    });
    return rows.map(
      (row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as TrafficSums,
    );
  }

  /** How many minutes from one until before another had requests, and how many all processes together served in the busiest. */
  async busyMinutes(from: number, to: number): Promise<{ count: number; most: number }> {
    const row = await this.database.scan(TrafficMinute, ({ manager }) =>
      manager
        .createQueryBuilder()
        .select('COUNT(*)', 'count')
        .addSelect('MAX(busy.requests)', 'most')
        .from(
          (all) =>
            all
              .select('SUM(served.requests)', 'requests')
              .from(TrafficMinute, 'served')
              .where('served.minute >= :from AND served.minute < :to', { from, to })
              .groupBy('served.minute'),
          'busy',
        )
        .getRawOne<{ count: bigint | string; most: bigint | string | null }>(),
    );
    return { count: Number(row?.count ?? 0), most: Number(row?.most ?? 0) };
  }

  /** Processes, those first that were seen last. */
  processes(): Promise<Readonly<ServingProcess>[]> {
    return this.servingProcesses.repository.find({
      order: { seenAt: 'DESC', startedAt: 'DESC' },
      take: PROCESS_LIMIT,
    });
  }

  private overwriting(): string {
    const { columns } = this.database.dataSource.getMetadata(TrafficMinute);
    return columns
      .filter(({ isPrimary }) => !isPrimary)
      .map(({ databaseName }) => `"${databaseName}" = excluded."${databaseName}"`)
      .join(', ');
  }

  /** Deletes some of what was served before a minute. @returns whether there may be more */
  deleteMinutesBefore(minute: number): Promise<boolean> {
    return this.minutes.deleteBatch('minute', minute);
  }

  /** Deletes some of the processes not seen since an instant. @returns whether there may be more */
  deleteProcessesBefore(instant: Date): Promise<boolean> {
    return this.servingProcesses.deleteBatch('seenAt', instant);
  }
}
