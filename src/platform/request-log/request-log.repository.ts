import { Injectable } from '@nestjs/common';
import { Between, LessThan } from 'typeorm';
import { Database } from '../database/database';
import { EntityRepository } from '../database/entities/entity-repository';
import {
  type FoundRows,
  type LogOrder,
  LogSearch,
  type LogWindow,
  ROWS_PER_SEARCH,
} from '../database/entities/log-search';
import { RowsInsertion } from '../database/entities/rows-insertion';
import type { Condition, Where } from '../database/statements/where';
import { LoggedRequest } from './logged-request.entity';
import { firstIdAt } from './logged-request-id';

/** Conditions for requests; one that is not set matches every request. */
export interface RequestFilter extends Omit<Where<LoggedRequest>, 'at'> {
  readonly at?: Pick<Condition<Date>, 'from' | 'before'> | undefined;
}

/** Refusals to count: those since an instant, of one key or of all requests. */
export interface RefusalFilter {
  readonly from?: Date | undefined;
  readonly keyId?: string | undefined;
}

/** Members of a request by which refusals are counted. */
const REFUSED_BY = ['status', 'code', 'keyId'] as const;

/** Number of refusals with one value of a member. */
export interface RefusalCount {
  readonly by: (typeof REFUSED_BY)[number];
  /** Null for refusals without a value. */
  readonly value: string | null;
  readonly count: number;
}

/** Refused requests in a bounded part of the log. */
export interface CountedRefusals {
  readonly count: number;
  /** True if older requests are left to look at. */
  readonly hasMore: boolean;
  /** The most frequent values of each member, the most frequent first. */
  readonly values: readonly RefusalCount[];
}

/** The request log in the database. */
@Injectable()
export class RequestLogRepository {
  private readonly requests = new EntityRepository(this.database, LoggedRequest);
  private readonly log = new LogSearch(this.database, LoggedRequest, [
    ['requestId'],
    ['address'],
    ['code'],
    ['keyId'],
    ['outcome'],
    ['route'],
  ]);
  private readonly insertion = new RowsInsertion(
    this.database,
    this.database.dataSource.getMetadata(LoggedRequest).columns,
    'ON CONFLICT DO NOTHING RETURNING 1',
  );

  constructor(private readonly database: Database) {}

  /** Stores requests; leaves one that is stored already unchanged, so that a write can be repeated. */
  async insert(requests: readonly LoggedRequest[]): Promise<void> {
    await this.insertion.insert(requests);
  }

  /** Returns the request with an id. */
  findOne(id: bigint): Promise<LoggedRequest | null> {
    return this.requests.findOne(id);
  }

  /** Returns requests whose id is a UUID that begins with these eight digits. */
  async beginningWith(digits: string, limit: number): Promise<LoggedRequest[]> {
    // UUIDs at both ends: every collation of PostgreSQL orders texts of one form by their digits.
    const first = `${digits}-0000-0000-0000-000000000000`;
    const last = `${digits}-ffff-ffff-ffff-ffffffffffff`;
    return this.database.scan(LoggedRequest, (table) =>
      table.find({
        where: { requestId: Between(first, last) },
        order: { requestId: 'DESC', id: 'DESC' },
        take: limit,
      }),
    );
  }

  /** Searches a bounded part of the log, however many requests there are and whatever the filter is. */
  find(
    { at, ...where }: RequestFilter,
    { before, ...window }: LogWindow & LogOrder<LoggedRequest>,
  ): Promise<FoundRows<LoggedRequest>> {
    // Ids ascend with the time, so a time is an id.
    const first = at?.from && firstIdAt(at.from);
    const end = at?.before && firstIdAt(at.before);
    const isEarlier = end !== undefined && (before === undefined || end < before);
    return this.log.search(where, { ...window, before: isEarlier ? end : before }, first);
  }

  /**
   * Counts the refused among the newest requests, so many at most that the time does not grow with the log.
   *
   * @param most number of values of each member
   */
  async refusals({ from, keyId }: RefusalFilter, most: number): Promise<CountedRefusals> {
    // With both conditions an engine could search all requests of a key for a few that were refused.
    const lead = keyId === undefined ? `"outcome" = 'refused'` : '"key_id" = :keyId';
    const since = from ? ' AND "id" >= :first' : '';
    const looked = `SELECT "outcome", "status", "code", "key_id" AS "keyId" FROM "request_log" WHERE ${lead}${since} ORDER BY "id" DESC LIMIT ${ROWS_PER_SEARCH}`;
    const counted = REFUSED_BY.map(
      (member) =>
        `SELECT * FROM (SELECT '${member}' AS "by", CAST("${member}" AS TEXT) AS "value", COUNT(*) AS "count" FROM "looked" WHERE "outcome" = 'refused' GROUP BY "${member}" ORDER BY 3 DESC, 2 LIMIT ${most}) AS "${member}s"`,
    );
    const sql = `WITH "looked" AS MATERIALIZED (${looked}) SELECT 'all' AS "by", "outcome" AS "value", COUNT(*) AS "count" FROM "looked" GROUP BY "outcome" UNION ALL ${counted.join(' UNION ALL ')}`;
    const rows = await this.database.scan(LoggedRequest, (table) =>
      table.query<{ by: RefusalCount['by'] | 'all'; value: string | null; count: bigint | string }[]>(
        ...this.database.dataSource.driver.escapeQueryWithParameters(sql, {
          keyId,
          first: from && firstIdAt(from),
        }),
      ),
    );
    const numbers = rows.map(({ by, value, count }) => ({ by, value, count: Number(count) }));
    const outcomes = numbers.filter(({ by }) => by === 'all');
    return {
      count: outcomes.find(({ value }) => value === 'refused')?.count ?? 0,
      hasMore: outcomes.reduce((sum, { count }) => sum + count, 0) === ROWS_PER_SEARCH,
      values: numbers.filter((each): each is RefusalCount => each.by !== 'all'),
    };
  }

  /**
   * Returns the id of the oldest among so many of the newest requests; undefined when there are fewer. Counted in parts, so
   * that no statement takes long.
   */
  async idOfOldestIn(newest: number): Promise<bigint | undefined> {
    let oldest: bigint | undefined;
    for (let left = newest; left > 0; left -= ROWS_PER_SEARCH) {
      const before = oldest;
      const [found] = await this.database.scan(LoggedRequest, (table) =>
        table.find({
          select: { id: true },
          where: before === undefined ? {} : { id: LessThan(before) },
          order: { id: 'DESC' },
          skip: Math.min(left, ROWS_PER_SEARCH) - 1,
          take: 1,
        }),
      );
      if (!found) return undefined;
      oldest = found.id;
    }
    return oldest;
  }

  /** Deletes some of the requests before an id. @returns true if there may be more */
  deleteBefore(id: bigint): Promise<boolean> {
    return this.requests.deleteBatch('id', id);
  }
}
