import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { LATENCY_COLUMNS } from './latency';
import { ServingProcess } from './serving-process.entity';
import { TrafficMinute } from './traffic-minute.entity';

const COUNTS = ['requests', 'succeeded', 'clientErrors', 'serverErrors', ...LATENCY_COLUMNS] as const;

/** What all processes together answered in a stretch of time. */
export type TrafficSums = Omit<TrafficMinute, 'processId'>;

/** Rows one statement deletes: some milliseconds, so that others get their turn. */
const BATCH_ROWS = 1_000;

/** Most processes that are told of: some days of restarts. */
const PROCESS_LIMIT = 200;

/** Serving processes and what they answered, in the database. */
@Injectable()
export class TrafficRepository {
  constructor(private readonly database: Database) {}

  /** Notes what a process answered, and that it is there. What is stored already stays. */
  async write(process: Readonly<ServingProcess>, minutes: readonly TrafficMinute[]): Promise<void> {
    // Each by itself: a transaction would hold SQLite's write lock from one to the other, for nothing.
    if (minutes.length > 0) {
      await this.database.with(TrafficMinute, (table) =>
        table
          .createQueryBuilder()
          .insert()
          .values([...minutes])
          .orIgnore()
          .updateEntity(false)
          .execute(),
      );
    }
    await this.database.with(ServingProcess, (processes) => processes.upsert(process, ['id']));
  }

  /**
   * What was answered from one minute until before another, added up over all processes in steps of some
   * minutes. Steps without any are left out.
   */
  async sums(from: number, to: number, step: number): Promise<TrafficSums[]> {
    const rows = await this.database.with(TrafficMinute, (table) => {
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

  /** Processes, those first that were seen last. */
  processes(): Promise<Readonly<ServingProcess>[]> {
    return this.database.with(ServingProcess, (table) =>
      table.find({ order: { seenAt: 'DESC', startedAt: 'DESC' }, take: PROCESS_LIMIT }),
    );
  }

  /** Deletes some of what was answered before a minute. @returns whether there may be more */
  async deleteMinutesBefore(minute: number): Promise<boolean> {
    const { affected } = await this.database.with(TrafficMinute, (table) =>
      table
        .createQueryBuilder()
        .delete()
        .where(
          `("minute", "process_id") IN (SELECT "minute", "process_id" FROM "traffic_minutes" WHERE "minute" < :minute LIMIT ${BATCH_ROWS})`,
          { minute },
        )
        .execute(),
    );
    return affected === BATCH_ROWS;
  }

  /** Deletes some of the processes not seen since an instant. @returns whether there may be more */
  async deleteProcessesBefore(instant: Date): Promise<boolean> {
    const { affected } = await this.database.with(ServingProcess, (table) =>
      table
        .createQueryBuilder()
        .delete()
        .where(
          `"id" IN (SELECT "id" FROM "serving_processes" WHERE "seen_at" < :instant LIMIT ${BATCH_ROWS})`,
          { instant },
        )
        .execute(),
    );
    return affected === BATCH_ROWS;
  }
}
