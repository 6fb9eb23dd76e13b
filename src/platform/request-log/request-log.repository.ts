import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
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
 * Columns with an index on (column, id), by member, beginning with those that have the fewest rows for a value. The first one
 * that is set leads the search.
 */
const INDEXED = {
  requestId: 'request_id',
  address: 'address',
  code: 'code',
  keyId: 'key_id',
  outcome: 'outcome',
  route: 'route',
} as const;

/** All columns that are compared for equality, by member. */
const EXACT = { ...INDEXED, method: 'method', status: 'status', node: 'node' } as const;

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
    const { minDurationMs, from, to } = filter;
    const isSet = (name: keyof typeof EXACT) => filter[name] !== undefined;
    const lead = namesOf(INDEXED).find(isSet);
    const rest = namesOf(EXACT).filter((name) => name !== lead && isSet(name));
    const isExact = rest.length === 0 && minDurationMs === undefined;
    const most = isExact ? limit : LOOKED_THROUGH;

    const looked = `SELECT * FROM "request_log" WHERE ${allOf(
      lead && `"${EXACT[lead]}" = :${lead}`,
      before !== undefined && '"id" < :before',
      from && '"id" >= :first',
      to && '"id" < :end',
    )} ORDER BY "id" DESC LIMIT ${most}`;
    const chosen = `SELECT "id" FROM (${looked}) AS "looked" WHERE ${allOf(
      ...rest.map((name) => `"${EXACT[name]}" = :${name}`),
      minDurationMs !== undefined && '"duration_ms" >= :minDurationMs',
    )} ORDER BY "id" DESC LIMIT ${limit}`;
    const reach = `SELECT MIN("id") AS "last", COUNT(*) AS "count" FROM (${looked}) AS "looked"`;
    const values = { ...filter, before, first: from && firstIdAt(from), end: to && firstIdAt(to) };

    return this.database.scan(LoggedRequest, async (table) => {
      const select = <Row>(sql: string) => {
        const { driver } = this.database.dataSource;
        return table.query<Row[]>(...driver.escapeQueryWithParameters(sql, values));
      };
      const ids = (await select<{ id: bigint | string }>(chosen)).map(({ id }) => BigInt(id));
      const items = await table.find({ where: { id: In(ids) }, order: { id: 'DESC' } });
      if (isExact || items.length === limit) return { items };
      const [row] = await select<{ last: bigint | string; count: bigint | string }>(reach);
      return { items, lookedBackTo: row && Number(row.count) === most ? BigInt(row.last) : undefined };
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

/** Joins the conditions that there are; without any, every row meets it. */
function allOf(...conditions: readonly (string | false | undefined)[]): string {
  return conditions.filter(Boolean).join(' AND ') || '1 = 1';
}

function namesOf<Name extends string>(columns: Readonly<Record<Name, string>>): Name[] {
  return Object.keys(columns) as Name[];
}
