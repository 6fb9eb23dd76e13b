import { Injectable } from '@nestjs/common';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { Database } from '../../platform/database/database';
import { EntityRepository } from '../../platform/database/entities/entity-repository';
import { insertion } from '../../platform/database/statements/statement';
import { ServingProcess } from './serving-process.entity';
import { COUNTS } from './traffic-counts';
import { TrafficMinute } from './traffic-minute.entity';

/** Requests that all processes together served in a span of time. */
export interface TrafficSums extends Omit<TrafficMinute, 'processId'> {
  /** Number of minutes that had requests. */
  busyMinutes: number;
  /** Requests in the busiest minute. */
  mostInMinute: number;
}

/** Most processes listed: some days of restarts. */
const PROCESS_LIMIT = 200;

/** Reads and writes serving processes and their traffic in the database. */
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
   * Writes all requests that a process served in a minute so far. If the minute is stored already, the larger count stays:
   * counts only grow, and a write that was given up may still complete after a later one.
   */
  async writeMinute(minute: Readonly<TrafficMinute>): Promise<void> {
    await this.database.query(this.upsert, { ...minute });
  }

  /** Records that a process is there. */
  async writeProcess(process: Readonly<ServingProcess>): Promise<void> {
    await this.servingProcesses.repository.upsert(process, ['id']);
  }

  /**
   * Sums the traffic from one minute until before another over all processes, in steps of some minutes. Leaves out steps
   * without traffic.
   */
  async sums(from: number, to: number, step: number): Promise<TrafficSums[]> {
    const rows = await this.database.scan(TrafficMinute, ({ manager }) => {
      // Whole numbers by construction, and not parameters: PostgreSQL would not see that both expressions are the same.
      const [first, length] = [Math.trunc(from), Math.trunc(step)];
      const start = `("served"."minute" - ${first}) / ${length} * ${length} + ${first}`;
      const query = manager
        .createQueryBuilder()
        .select(start, 'minute')
        .addSelect('COUNT(*)', 'busyMinutes')
        .addSelect('MAX("served"."requests")', 'mostInMinute')
        .from((all: SelectQueryBuilder<ObjectLiteral>) => minuteByMinute(all, from, to), 'served')
        .groupBy(start)
        .orderBy(start);
      for (const name of COUNTS) query.addSelect(`SUM("served"."${name}")`, name);
      return query.getRawMany<Record<keyof TrafficSums, bigint | number | string>>();
    });
    return rows.map((row) => {
      const numbers = Object.entries(row).map(([name, value]) => [name, Number(value)]);
      return Object.fromEntries(numbers) as TrafficSums;
    });
  }

  /** The first minute with traffic from one until before another; infinite if there is none. */
  async firstMinute(from: number, to: number): Promise<number> {
    const row = await this.database.scan(TrafficMinute, (table) =>
      table
        .createQueryBuilder('served')
        .select('MIN(served.minute)', 'minute')
        .where('served.minute >= :from AND served.minute < :to', { from, to })
        .getRawOne<{ minute: bigint | number | null }>(),
    );
    return Number(row?.minute ?? Infinity);
  }

  /** The processes, most recently seen first. */
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

  /** Deletes a batch of the traffic before a minute. @returns true if there may be more */
  deleteMinutesBefore(minute: number): Promise<boolean> {
    return this.minutes.deleteBatch('minute', minute);
  }

  /** Deletes a batch of the processes not seen since an instant. @returns true if there may be more */
  deleteProcessesBefore(instant: Date): Promise<boolean> {
    return this.servingProcesses.deleteBatch('seenAt', instant);
  }
}

/** Sums the traffic of all processes in each minute that had some. */
function minuteByMinute(all: SelectQueryBuilder<ObjectLiteral>, from: number, to: number) {
  const query = all.select('served.minute', 'minute').from(TrafficMinute, 'served');
  for (const name of COUNTS) query.addSelect(`SUM(served.${name})`, name);
  return query.where('served.minute >= :from AND served.minute < :to', { from, to }).groupBy('served.minute');
}
