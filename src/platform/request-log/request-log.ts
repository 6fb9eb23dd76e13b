import { hostname } from 'node:os';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { WriteBuffer } from '../database/entities/write-buffer';
import { SchemaReadiness } from '../database/schema/schema-state';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { redactTokens } from '../logging/redact-tokens';
import { Metrics } from '../telemetry/metrics';
import { storableText } from '../values/kinds/text.kind';
import type { ClientChange } from './client-change.entity';
import { ClientChangesRepository } from './client-changes.repository';
import type { LoggedRequest } from './logged-request.entity';
import { LoggedRequestIds } from './logged-request-id';
import type { Outcome } from './outcome';
import { RequestLogRepository } from './request-log.repository';

/** Facts about a request that has ended. */
export type EndedRequest = Omit<LoggedRequest, 'id' | 'at' | 'node'>;

/** Milliseconds between two writes. After each commit to SQLite cached responses are read anew, so not more often. */
const WRITE_INTERVAL_MS = 2_000;

/** Milliseconds from which a request is slow. */
const SLOW_MS = 1_000;

/** Most successful requests that are taken between two writes. */
const MAX_SUCCEEDED = 20;

/** Most other requests that are taken between two writes: a flood of refusals must not fill the disk. */
const MAX_OTHERS = 200;

/** Most requests that wait for a database that is away: about a megabyte, and all of the first twenty seconds. */
const MAX_WAITING = 2_000;

/** Most changes of records that wait likewise: some megabytes. None is dropped while the database keeps up. */
const MAX_CHANGES = 20_000;

/** Number of waiting changes that are written at once, before the next write is due. */
const MANY_CHANGES = 1_000;

/** Rows of one statement. */
const BATCH = 200;

/** Most characters of a message that are kept. */
const MAX_MESSAGE = 500;

/** Milliseconds that a stop waits for the last write. */
const STOP_LIMIT_MS = 1_000;

/**
 * Keeps requests, for operators to look up why one was refused, and the changes of records by them. Rows gather in memory and
 * are written every two seconds; surplus rows are dropped and counted, so that no request waits for them.
 */
@Injectable()
export class RequestLog implements OnModuleInit, OnApplicationShutdown {
  /** True if any request is kept. */
  readonly isOn: boolean;
  /** True if the changes of records by requests are kept. */
  readonly keepsChanges: boolean;
  /** True if every request keeps its steps, and the source of its statements. */
  readonly isDetailed: boolean;
  private readonly ids = new LoggedRequestIds();
  private readonly node = hostname();
  private readonly requests: WriteBuffer<LoggedRequest>;
  private readonly changes: WriteBuffer<ClientChange>;
  /** Requests taken since the last write. */
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
    this.isDetailed = settings.nodeEnv === 'development';
    const shared = {
      batch: BATCH,
      dropsRefused: true,
      onDropped: () => metrics.requestLogDropped.add('backlog'),
      warning: 'The request log cannot be written; it is retried every two seconds.',
    };
    this.requests = new WriteBuffer(schema, logger, {
      ...shared,
      limit: MAX_WAITING,
      keyOf: ({ id }) => id,
      write: (rows) => requests.insert(rows),
    });
    this.changes = new WriteBuffer(schema, logger, {
      ...shared,
      limit: MAX_CHANGES,
      keyOf: ({ id }) => id,
      write: (rows) => changes.insert(rows),
    });
  }

  /** Starts the timer. Started by a row, it would run in the context of that row's request. */
  onModuleInit(): void {
    if (this.isOn || this.keepsChanges)
      this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([this.requests.stop(STOP_LIMIT_MS), this.changes.stop(STOP_LIMIT_MS)]);
  }

  /**
   * Tells whether to add a request that has ended. Call it once per request, because each one that is taken counts toward the
   * limits.
   */
  takes(outcome: Outcome, durationMs: number): boolean {
    if (outcome === 'succeeded' && !this.isNotable(outcome, durationMs)) {
      if (this.succeeded >= MAX_SUCCEEDED || this.requests.isFull) return false;
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

  /** Tells whether the steps of a request are kept with it. */
  keepsTimeline(outcome: Outcome, durationMs: number): boolean {
    return this.isDetailed || this.isNotable(outcome, durationMs);
  }

  /** Tells whether a request failed or was slow. */
  isNotable(outcome: Outcome, durationMs: number): boolean {
    return outcome === 'failed' || durationMs >= SLOW_MS;
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
      message: request.message && storableText(redactTokens(request.message).slice(0, MAX_MESSAGE)),
    });
  }

  /** Adds a change of a record by a request. */
  addChange(change: Omit<ClientChange, 'id'>): void {
    const { requestId } = change;
    this.changes.add({ ...change, id: this.ids.next(Date.now()), requestId: redactTokens(requestId) });
    if (this.changes.size >= MANY_CHANGES) void this.changes.flush();
  }

  /** Writes the waiting rows. A call during another write waits for that one. */
  async write(): Promise<void> {
    this.succeeded = 0;
    this.others = 0;
    await Promise.all([this.requests.flush(), this.changes.flush()]);
  }
}
