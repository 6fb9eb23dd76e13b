import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Database } from '../database/database';
import { EntityRepository } from '../database/entities/entity-repository';
import { type FoundRows, LogSearch, type LogWindow, ROWS_PER_SEARCH } from '../database/entities/log-search';
import { RowsInsertion } from '../database/entities/rows-insertion';
import type { Condition, Where } from '../database/statements/where';
import { LoggedRequest } from './logged-request.entity';
import { firstIdAt } from './logged-request-id';

/** Conditions for requests; one that is not set matches every request. */
export interface RequestFilter extends Omit<Where<LoggedRequest>, 'at'> {
  readonly at?: Pick<Condition<Date>, 'from' | 'before'> | undefined;
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

  /** Searches a bounded part of the log, however many requests there are and whatever the filter is. */
  find({ at, ...where }: RequestFilter, { before, limit }: LogWindow): Promise<FoundRows<LoggedRequest>> {
    // Ids ascend with the time, so a time is an id.
    const first = at?.from && firstIdAt(at.from);
    const end = at?.before && firstIdAt(at.before);
    const isEarlier = end !== undefined && (before === undefined || end < before);
    return this.log.search(where, { before: isEarlier ? end : before, limit }, first);
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
