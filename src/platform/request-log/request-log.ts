import { hostname } from 'node:os';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { SchemaReadiness } from '../database/schema-state';
import { ServiceUnavailableError } from '../errors/http-errors';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { redactTokens } from '../logging/redact-tokens';
import { Metrics } from '../telemetry/metrics';
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

/** A request that took longer is of interest however it ended, in milliseconds. */
const SLOW_MS = 1_000;

/** Most rows that wait for a database that is away: about a megabyte, and all of the first twenty seconds. */
const MAX_WAITING = 2_000;

/** Rows of one statement. */
const BATCH = 100;

/** Most characters of a message that are kept. */
const MAX_MESSAGE = 500;

/** How long a stop waits for the last write, in milliseconds. */
const STOP_LIMIT_MS = 1_000;

/**
 * Keeps what requests on the public port were, for operators to look up why one was refused. Rows gather in memory and are written every
 * two seconds; what is too much is dropped and counted, so that no request waits for it.
 */
@Injectable()
export class RequestLog implements OnModuleInit, OnApplicationShutdown {
  /** Whether any request is kept. */
  readonly isOn: boolean;
  private readonly sample: number;
  private readonly ids = new LoggedRequestIds();
  private readonly node = hostname();
  private readonly waiting: LoggedRequest[] = [];
  /** Taken since the last write. */
  private succeeded = 0;
  private others = 0;
  private writing: Promise<void> | undefined;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectSettings() settings: Settings,
    private readonly requests: RequestLogRepository,
    private readonly schema: SchemaReadiness,
    private readonly metrics: Metrics,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.isOn = settings.requestLogDays > 0;
    this.sample = settings.requestLogSample;
  }

  /** The timer begins here and not with a row: it would belong to the request that the row is of. */
  onModuleInit(): void {
    if (this.isOn) this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await pTimeout(this.write(), { milliseconds: STOP_LIMIT_MS, message: false });
  }

  /** Whether a request that has ended is to be added. Ask once a request, because each that is taken counts toward the limits. */
  takes(outcome: Outcome, durationMs: number): boolean {
    if (outcome === 'succeeded' && durationMs < SLOW_MS) {
      if (this.succeeded >= MAX_SUCCEEDED || this.waiting.length >= MAX_WAITING) return false;
      if (this.sample < 100 && Math.random() * 100 >= this.sample) return false;
      this.succeeded += 1;
      return true;
    }
    if (this.others < MAX_OTHERS && this.waiting.length < MAX_WAITING) {
      this.others += 1;
      return true;
    }
    this.metrics.requestLogDropped.add(this.others < MAX_OTHERS ? 'backlog' : 'rate');
    return false;
  }

  /** Adds a request that {@link takes} has taken. */
  add(request: EndedRequest): void {
    const now = Date.now();
    this.waiting.push({
      ...request,
      id: this.ids.next(now),
      at: new Date(now),
      node: this.node,
      // A client may put its key in either.
      requestId: redactTokens(request.requestId),
      message: request.message && redactTokens(request.message).slice(0, MAX_MESSAGE),
    });
  }

  /** Writes what waits. A call while another is under way waits for that one. */
  write(): Promise<void> {
    this.succeeded = 0;
    this.others = 0;
    this.writing ??= this.writeWaiting().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeWaiting(): Promise<void> {
    try {
      // Where the table is still to be made, the start has said so.
      if (this.waiting.length === 0 || !(await this.schema.isCurrent())) return;
      while (this.waiting.length > 0) await this.writeBatch(this.waiting.slice(0, BATCH));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) {
        this.logger.warn(
          { err: error },
          'The request log cannot be written; it is tried again every two seconds.',
        );
      }
      this.isFailing = true;
    }
  }

  private async writeBatch(batch: readonly LoggedRequest[]): Promise<void> {
    try {
      await this.requests.insert(batch);
    } catch (error) {
      // What a database in reach refuses it would refuse again, with all that waits behind it.
      if (!(error instanceof ServiceUnavailableError)) this.drop(batch);
      throw error;
    }
    this.waiting.splice(0, batch.length);
  }

  private drop(batch: readonly LoggedRequest[]): void {
    this.waiting.splice(0, batch.length);
    for (let i = 0; i < batch.length; i++) this.metrics.requestLogDropped.add('backlog');
  }
}
