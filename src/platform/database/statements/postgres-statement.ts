import type { Duplex } from 'node:stream';
import { type Connection, DatabaseError, type Pool, type PoolClient, type Submittable } from 'pg';
import { OverloadedError } from '../../errors/http-errors';
import { currentContext, isForNobody, type RequestContext } from '../../tracing/request-context';
import { translateDriverError } from '../driver/driver-errors';
import type { PostgresClient } from '../driver/postgres-client';
import { parserOf } from '../driver/postgres-values';
import { LargeResults } from './large-results';

/** Most executions that share a round trip. More would save little, and wait for each other while connections are free. */
export const MOST_TOGETHER = 8;

/** Characters from which on a result is large. */
const LARGE = 1024 * 1024;

const largeResults = new LargeResults();

/** A value as the server is sent it. */
export type TextValue = string | null;

type Row = Record<string, unknown>;

/** A column of the rows that a statement returns. */
interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** One execution of a statement, and who waits for it. */
interface Execution {
  readonly values: TextValue[];
  /** Request that reads. */
  readonly request?: RequestContext['request'];
  rows: Row[];
  /** Why a row cannot be read. */
  fault?: unknown;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * A statement that each connection to PostgreSQL parses and describes once; the driver's own query has it described at each
 * execution, and makes up a query, a result and an emitter for it.
 *
 * Executions of a brief statement that are asked for in one turn of the event loop, or while they wait for a connection, share it
 * and a round trip, which is most of what they cost; writes share one transaction as well. One that fails on its own fails
 * alone.
 */
export class PostgresStatement {
  /** Columns of the result, as each connection has described them. */
  readonly columns = new WeakMap<Connection, readonly Column[]>();
  private readonly gathered = new WeakMap<Pool, Execution[]>();

  constructor(
    readonly name: string,
    readonly text: string,
    readonly isWrite: boolean,
    private readonly isPipelined: boolean,
  ) {}

  /** Runs it on a connection that the caller holds. */
  runOn(client: PoolClient, values: TextValue[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const group = [{ values, rows: [], resolve, reject }];
      client.query(new RoundTrip(this, group, (error) => settle(group, error && causeOn(client, error))));
    });
  }

  /** Runs it on a connection of the pool. */
  run(pool: Pool, values: TextValue[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const request = this.isWrite ? undefined : currentContext()?.request;
      const execution = { values, request, rows: [], resolve, reject };
      if (this.isPipelined) this.gather(pool, execution);
      else this.send(pool, [execution]);
    });
  }

  private gather(pool: Pool, execution: Execution): void {
    const gathered = this.gathered.get(pool);
    if (gathered && gathered.length < MOST_TOGETHER) {
      gathered.push(execution);
      return;
    }
    const group = [execution];
    this.gathered.set(pool, group);
    setImmediate(() => this.send(pool, group));
  }

  private send(pool: Pool, all: readonly Execution[]): void {
    pool.connect((fault, client, release) => {
      // Until now others could join it.
      if (this.gathered.get(pool) === all) this.gathered.delete(pool);
      if (!client) {
        settle(all, fault);
        return;
      }
      const group = wanted(all);
      if (group.length === 0) {
        // Not at once: the pool calls the next one from there, and each of thousands would be called by the one before it.
        process.nextTick(release);
        return;
      }
      const trip = new RoundTrip(this, group, (error) => {
        release(error);
        if (group.length > 1 && !trip.isComplete && isRefusal(error)) this.sendEach(pool, trip.unserved);
        else settle(group, error);
      });
      client.query(trip);
    });
  }

  /** Sends each execution by itself: none took effect, because their transaction ended with the fault of one. */
  private sendEach(pool: Pool, group: readonly Execution[]): void {
    for (const execution of group) {
      Object.assign(execution, { rows: [], fault: undefined });
      this.send(pool, [execution]);
    }
  }
}

/**
 * Tells whether the server has refused one execution only. If it cannot serve one now, it can serve none of the group; after a
 * lost connection the outcome of the group is unknown.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && (translateDriverError(error) === error || isAboutAnother(error));
}

/**
 * Tells whether the server, which goes on, reports its lost connection to another one that a part of the group needs: a server
 * that distributes tables reports an absent machine like this. About its own connections a server says FATAL.
 */
function isAboutAnother({ severity, code = '' }: DatabaseError): boolean {
  return severity === 'ERROR' && /^(08|57P)/.test(code);
}

/** Returns the executions that somebody still waits for; others are not sent. */
function wanted(all: readonly Execution[]): readonly Execution[] {
  const isUnwanted = ({ request }: Execution) => request !== undefined && isForNobody(request);
  const unwanted = all.filter(isUnwanted);
  if (unwanted.length === 0) return all;
  settle(unwanted, new OverloadedError('The client has left before the database was asked.'));
  return all.filter((execution) => !isUnwanted(execution));
}

/** Returns what ended the connection, in place of the driver's word that it has ended, or else the error itself. */
function causeOn(client: PoolClient, error: Error): Error {
  return (client as unknown as PostgresClient).fault ?? error;
}

function settle(group: readonly Execution[], error: unknown): void {
  for (const execution of group) {
    const fault = error ?? execution.fault;
    if (fault) execution.reject(fault);
    else execution.resolve(execution.rows);
  }
}

/** A group of executions on their way to the server and back, submitted in place of the driver's own query. */
class RoundTrip implements Submittable {
  readonly name: string;
  readonly text: string;
  /** Several writes are one transaction; one alone is one anyway. */
  private readonly isTransaction: boolean;
  private columns: readonly Column[] | undefined;
  private connection: Connection | undefined;
  /** Index of the execution that the server is at. */
  private place: number;
  /** Characters read so far. */
  private length = 0;

  /** @param callback the driver replaces it where it limits the time */
  constructor(
    private readonly statement: PostgresStatement,
    private readonly group: readonly Execution[],
    private callback: (error?: Error) => void,
  ) {
    this.name = statement.name;
    this.text = statement.text;
    this.isTransaction = statement.isWrite && group.length > 1;
    this.place = this.isTransaction ? -1 : 0;
  }

  /** True once the server has carried out the whole group. */
  get isComplete(): boolean {
    return this.place >= this.group.length;
  }

  /** Executions whose results were not handed over yet. Those of writes are handed over together, once all are carried out. */
  get unserved(): readonly Execution[] {
    return this.statement.isWrite ? this.group : this.group.slice(this.place);
  }

  submit(connection: Connection): void {
    this.connection = connection;
    this.columns = this.statement.columns.get(connection);
    const { stream } = connection;
    stream.cork();
    if (this.isTransaction) command(connection, 'BEGIN');
    if (!isParsed(connection, this.name))
      connection.parse({ name: this.name, text: this.text, types: [] }, true);
    this.group.forEach(({ values }, index) => {
      connection.bind({ statement: this.name, values }, true);
      if (index === 0 && !this.columns) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    });
    if (this.isTransaction) command(connection, 'COMMIT');
    connection.sync();
    stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    this.statement.columns.set(this.connection as Connection, this.columns);
  }

  handleDataRow({ fields }: { fields: TextValue[] }): void {
    const before = this.length;
    const execution = this.group[this.place];
    try {
      execution?.rows.push(this.read(fields));
    } catch (error) {
      // Thrown from here it would end the process: the socket calls.
      if (execution) execution.fault ??= error;
    }
    if (before <= LARGE && this.length > LARGE) largeResults.enter(this.stream);
  }

  handleCommandComplete(): void {
    const execution = this.group[this.place++];
    if (!execution || this.statement.isWrite) return;
    settle([execution], undefined);
    execution.rows = [];
  }

  handleError(error: Error): void {
    this.leave();
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.leave();
    this.callback();
  }

  private read(fields: readonly TextValue[]): Row {
    const row: Row = {};
    const columns = this.columns as Column[];
    for (let index = 0; index < columns.length; index++) {
      const { name, parse } = columns[index] as Column;
      const text = fields[index] as TextValue;
      if (text !== null) this.length += text.length;
      row[name] = text === null ? null : parse(text);
    }
    return row;
  }

  private get stream(): Duplex {
    return (this.connection as Connection).stream;
  }

  private leave(): void {
    if (this.length > LARGE) largeResults.leave(this.stream);
  }
}

/** Tells whether the driver knows that the connection has parsed the statement of a name. */
function isParsed(connection: Connection, name: string): boolean {
  const { parsedStatements } = connection as Connection & { parsedStatements: Record<string, string> };
  return parsedStatements[name] !== undefined;
}

/** Sends a command without parameters. */
function command(connection: Connection, text: string): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({}, true);
  connection.execute(null, true);
}
