import { Injectable } from '@nestjs/common';
import { In, LessThan, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database';
import { EntityRepository } from '../database/entities/entity-repository';
import { RowsInsertion } from '../database/entities/rows-insertion';
import { LoggedRequest } from './logged-request.entity';
import { firstIdAt } from './logged-request-id';

/** Conditions for requests; one that is not set matches every request. */
export interface RequestFilter extends Partial<
  Pick<
    LoggedRequest,
    'requestId' | 'address' | 'code' | 'keyId' | 'outcome' | 'route' | 'method' | 'status' | 'node'
  >
> {
  /** Least duration, in milliseconds. */
  readonly minDurationMs?: number | undefined;
  /** Earliest time, itself included. */
  readonly from?: Date | undefined;
  /** Latest time, itself excluded. */
  readonly to?: Date | undefined;
}

/** A page of the log, newest first. */
export interface RequestWindow {
  /** Only requests older than the one with this id. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

/** Result of one bounded search in the log. */
export interface FoundRequests {
  /** Requests found, newest first. */
  readonly items: LoggedRequest[];
  /**
   * Oldest id that the search reached, if older requests are left to search; unset when as many were found as were asked for.
   */
  readonly lookedBackTo?: bigint | undefined;
}

/**
 * Members with an index on (member, id), beginning with those that have the fewest rows for a value. The first one that is set
 * leads the search.
 */
const INDEXED = ['requestId', 'address', 'code', 'keyId', 'outcome', 'route'] as const;

/** All members that are compared for equality. */
const EXACT = [...INDEXED, 'method', 'status', 'node'] as const;

/** Rows that one statement looks through: some ten milliseconds, so that other work gets its turn. */
const LOOKED_THROUGH = 20_000;

/** The request log in the database. */
@Injectable()
export class RequestLogRepository {
  private readonly requests = new EntityRepository(this.database, LoggedRequest);
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

  /**
   * Searches a bounded part of the log, however many rows there are and whatever the filter is: an index finds rows from the
   * newest on, and the rest of the filter decides about them.
   */
  async find(filter: RequestFilter, { before, limit }: RequestWindow): Promise<FoundRequests> {
    const lead = INDEXED.find((name) => filter[name] !== undefined);
    const rest = EXACT.filter((name) => name !== lead && filter[name] !== undefined);
    const isExact = rest.length === 0 && filter.minDurationMs === undefined;
    const most = isExact ? limit : LOOKED_THROUGH;

    const lookThrough = <Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>) => {
      const rows = query.select('row.id', 'id').from(LoggedRequest, 'row');
      for (const name of [...rest, 'durationMs']) rows.addSelect(`row.${name}`, name);
      if (lead) rows.andWhere(`row.${lead} = :lead`, { lead: filter[lead] });
      if (before !== undefined) rows.andWhere('row.id < :before', { before });
      if (filter.from) rows.andWhere('row.id >= :from', { from: firstIdAt(filter.from) });
      if (filter.to) rows.andWhere('row.id < :to', { to: firstIdAt(filter.to) });
      return rows.orderBy('row.id', 'DESC').limit(most);
    };

    return this.database.scan(LoggedRequest, async (table) => {
      const seen = () => table.manager.createQueryBuilder().from(lookThrough, 'seen');
      const chosen = seen().select('"seen"."id"', 'id').orderBy('"seen"."id"', 'DESC').limit(limit);
      for (const name of rest) chosen.andWhere(`"seen"."${name}" = :${name}`, { [name]: filter[name] });
      const { minDurationMs } = filter;
      if (minDurationMs !== undefined) {
        chosen.andWhere('"seen"."durationMs" >= :minDurationMs', { minDurationMs });
      }
      const ids = (await chosen.getRawMany<{ id: bigint | string }>()).map(({ id }) => BigInt(id));
      const items = await table.find({ where: { id: In(ids) }, order: { id: 'DESC' } });
      if (isExact || items.length === limit) return { items };
      const reach = await seen()
        .select('MIN("seen"."id")', 'last')
        .addSelect('COUNT(*)', 'count')
        .getRawOne<{ last: bigint | string; count: bigint | string }>();
      return { items, lookedBackTo: reach && Number(reach.count) === most ? BigInt(reach.last) : undefined };
    });
  }

  /**
   * Returns the id of the oldest among so many of the newest requests; undefined when there are fewer. Counted in parts, so
   * that no statement takes long.
   */
  async idOfOldestIn(newest: number): Promise<bigint | undefined> {
    let oldest: bigint | undefined;
    for (let left = newest; left > 0; left -= LOOKED_THROUGH) {
      const before = oldest;
      const [found] = await this.database.scan(LoggedRequest, (table) =>
        table.find({
          select: { id: true },
          where: before === undefined ? {} : { id: LessThan(before) },
          order: { id: 'DESC' },
          skip: Math.min(left, LOOKED_THROUGH) - 1,
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
