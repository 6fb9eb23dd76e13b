import { hostname } from 'node:os';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { SchemaReadiness } from '../database/schema/schema-state';
import { ServiceUnavailableError } from '../errors/http-errors';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { redactTokens } from '../logging/redact-tokens';
import { Metrics } from '../telemetry/metrics';
import type { ClientChange } from './client-change.entity';
import { ClientChangesRepository } from './client-changes.repository';
import type { LoggedRequest } from './logged-request.entity';
import { LoggedRequestIds } from './logged-request-id';
import type { Outcome } from './outcome';
import { RequestLogRepository } from './request-log.repository';

/** What is known of a request that has ended. */
export type EndedRequest = Omit<LoggedRequest, 'id' | 'at' | 'node'>;

/** Between two writes, in milliseconds. After each commit to SQLite cached responses are read anew, so not more often. */
const WRITE_INTERVAL_MS = 2_000;

/** Most successful requests that are taken between two writes. */
const MAX_SUCCEEDED = 20;

/** Most other requests that are taken between two writes: a flood of refusals must not fill the disk. */
const MAX_OTHERS = 200;

/** Most requests that wait for a database that is away: about a megabyte, and all of the first twenty seconds. */
const MAX_WAITING = 2_000;

/** Most changes of records that wait likewise: some megabytes. None is left out while the database keeps up. */
const MAX_CHANGES = 20_000;

/** So many changes are written without waiting for the next write. */
const MANY_CHANGES = 1_000;

/** Rows of one statement: some milliseconds, so that other work gets its turn. */
const BATCH = 200;

/** Most characters of a message that are kept. */
const MAX_MESSAGE = 500;

/** How long a stop waits for the last write, in milliseconds. */
const STOP_LIMIT_MS = 1_000;

/**
 * Keeps what requests were, for operators to look up why one was refused, and which records they changed. Rows gather in memory
 * and are written every two seconds; what is too much is dropped and counted, so that no request waits for it.
 */
@Injectable()
export class RequestLog implements OnModuleInit, OnApplicationShutdown {
  /** Whether any request is kept. */
  readonly isOn: boolean;
  /** Whether it is kept which records requests changed. */
  readonly keepsChanges: boolean;
  private readonly sample: number;
  private readonly slowMs: number;
  /** Whether every request keeps what it did, and where its statements come from. */
  readonly isDetailed: boolean;
  private readonly ids = new LoggedRequestIds();
  private readonly node = hostname();
  private readonly requests: WaitingRows<LoggedRequest>;
  private readonly changes: WaitingRows<ClientChange>;
  /** Taken since the last write. */
  private succeeded = 0;
  private others = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectSettings() settings: Settings,
    requests: RequestLogRepository,
    changes: ClientChangesRepository,
    schema: SchemaReadiness,
    private readonly metrics: Metrics,
    @InjectLogger() logger: Logger,
  ) {
    this.isOn = settings.requestLogDays > 0;
    this.keepsChanges = settings.recordHistoryDays > 0;
    this.sample = settings.requestLogSample;
    this.slowMs = settings.slowRequestMs;
    this.isDetailed = settings.nodeEnv === 'development';
    const target = {
      isReady: () => schema.isCurrent(),
      onDropped: () => metrics.requestLogDropped.add('backlog'),
      onFailure: (error: unknown) =>
        logger.warn(
          { err: error },
          'The request log cannot be written; it is tried again every two seconds.',
        ),
    };
    this.requests = new WaitingRows({
      ...target,
      limit: MAX_WAITING,
      insert: (rows) => requests.insert(rows),
    });
    this.changes = new WaitingRows({ ...target, limit: MAX_CHANGES, insert: (rows) => changes.insert(rows) });
  }

  /** The timer begins here and not with a row: it would belong to the request that the row is of. */
  onModuleInit(): void {
    if (this.isOn || this.keepsChanges)
      this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await pTimeout(this.write(), { milliseconds: STOP_LIMIT_MS, message: false });
  }

  /** Whether a request that has ended is to be added. Ask once a request, because each that is taken counts toward the limits. */
  takes(outcome: Outcome, durationMs: number): boolean {
    if (outcome === 'succeeded' && durationMs < this.slowMs) {
      if (this.succeeded >= MAX_SUCCEEDED || this.requests.isFull) return false;
      if (this.sample < 100 && Math.random() * 100 >= this.sample) return false;
      this.succeeded += 1;
      return true;
    }
    if (this.others < MAX_OTHERS && !this.requests.isFull) {
      this.others += 1;
      return true;
    }
    this.metrics.requestLogDropped.add(this.others < MAX_OTHERS ? 'backlog' : 'rate');
    return false;
  }

  /** Whether what a request did is kept with it. */
  keepsTimeline(outcome: Outcome, durationMs: number): boolean {
    return this.isDetailed || this.isNotable(outcome, durationMs);
  }

  /** Whether a request failed or was slow. */
  isNotable(outcome: Outcome, durationMs: number): boolean {
    return outcome === 'failed' || durationMs >= this.slowMs;
  }

  /** Adds a request that {@link takes} has taken. */
  add(request: EndedRequest): void {
    const now = Date.now();
    this.requests.add({
      ...request,
      id: this.ids.next(now),
      at: new Date(now),
      node: this.node,
      // A client may put its key in either.
      requestId: redactTokens(request.requestId),
      message: request.message && redactTokens(request.message).slice(0, MAX_MESSAGE).toWellFormed(),
    });
  }

  /** Adds what a request has done to a record. */
  addChange(change: Omit<ClientChange, 'id'>): void {
    const { requestId } = change;
    this.changes.add({ ...change, id: this.ids.next(Date.now()), requestId: redactTokens(requestId) });
    if (this.changes.size >= MANY_CHANGES) void this.changes.write();
  }

  /** Writes what waits. A call while another is under way waits for that one. */
  async write(): Promise<void> {
    this.succeeded = 0;
    this.others = 0;
    await Promise.all([this.requests.write(), this.changes.write()]);
  }
}

/** Where rows go that have waited. */
interface RowsTarget<Row> {
  /** Most rows that wait. */
  readonly limit: number;
  /** Whether there is a table to write them to. */
  isReady(): Promise<boolean>;
  /** Stores rows; those that are stored already are left as they are. */
  insert(rows: readonly Row[]): Promise<void>;
  /** Is told of each row that is dropped. */
  onDropped(): void;
  /** Is told of the first of several writes in a row that fail. */
  onFailure(error: unknown): void;
}

/** Rows that gather in memory and are written together, so that no request waits for its own. They are kept while the database is away. */
class WaitingRows<Row> {
  private readonly rows: Row[] = [];
  private writing: Promise<void> | undefined;
  private isFailing = false;

  constructor(private readonly target: RowsTarget<Row>) {}

  /** How many wait. */
  get size(): number {
    return this.rows.length;
  }

  /** Whether no more are taken. */
  get isFull(): boolean {
    return this.rows.length >= this.target.limit;
  }

  /** Adds a row, or drops it where too many wait. */
  add(row: Row): void {
    if (this.isFull) this.target.onDropped();
    else this.rows.push(row);
  }

  /** Writes what waits; never rejects. A call while another is under way waits for that one. */
  write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    try {
      // Where the table is still to be made, the start has said so.
      if (this.rows.length === 0 || !(await this.target.isReady())) return;
      while (this.rows.length > 0) await this.writeBatch(this.rows.slice(0, BATCH));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.target.onFailure(error);
      this.isFailing = true;
    }
  }

  private async writeBatch(batch: readonly Row[]): Promise<void> {
    try {
      await this.target.insert(batch);
    } catch (error) {
      // What a database in reach refuses it would refuse again, with all that waits behind it.
      if (!(error instanceof ServiceUnavailableError)) this.drop(batch);
      throw error;
    }
    this.rows.splice(0, batch.length);
  }

  private drop(batch: readonly Row[]): void {
    this.rows.splice(0, batch.length);
    for (let i = 0; i < batch.length; i++) this.target.onDropped();
  }
}
