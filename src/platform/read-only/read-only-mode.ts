import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { isSchemaBehind } from '../database/driver/driver-errors';
import { ServiceUnavailableError } from '../errors/http-errors';
import { InjectLogger, type Logger } from '../logging/logging.module';
import { addGauge } from '../telemetry/add-gauge';
import { Metrics } from '../telemetry/metrics';
import type { ServiceMode } from './service-mode.entity';
import { ServiceModesRepository } from './service-modes.repository';

/** Milliseconds between two reads of the mode from the database. */
export const REFRESH_INTERVAL_MS = 2_000;

/** Refusal of a change in read-only mode: intended, so it is not logged as a fault. */
export class ReadOnlyError extends ServiceUnavailableError {
  /** @param message for operators, with the reason */
  constructor(message = 'The service is read-only for now; reading works.') {
    super({ message, headers: { 'Retry-After': '10' } });
  }
}

/**
 * Read-only mode of the service, which an operator switches on by a row that all nodes see. The row is read in the background, so
 * that no request waits for it.
 */
@Injectable()
export class ReadOnlyMode implements OnModuleInit, OnApplicationShutdown {
  private isRefusing = false;
  private hasBeenRead = false;
  private isReadable = true;
  /** Since when and why, for operators; null as well while the mode is on and that cannot be read. */
  private row: ServiceMode | null = null;
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  constructor(
    private readonly modes: ServiceModesRepository,
    { registry }: Metrics,
    @InjectLogger() private readonly logger: Logger,
  ) {
    addGauge(
      registry,
      'petstore_read_only',
      'Whether the process refuses writes in read-only mode (1) or not (0).',
      () => Number(this.isOn),
    );
  }

  /** Reads the mode before the first request: a node that starts while it is on takes no writes either. */
  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.refreshLater();
  }

  onApplicationShutdown(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }

  get isOn(): boolean {
    return this.isRefusing;
  }

  /** Sentence for operators that the mode is on, since when and why; undefined while it is off. */
  get sentence(): string | undefined {
    if (!this.isOn) return undefined;
    if (this.row === null) return 'The service is read-only: its row in service_modes cannot be read.';
    const { since, actor, reason } = this.row;
    const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
    return `The service has been read-only since ${since.toISOString()}, by ${actor}${why}.`;
  }

  /**
   * Refuses a change of a client.
   *
   * @throws ReadOnlyError with the sentence for clients
   */
  assertWritable(): void {
    if (this.isOn) throw new ReadOnlyError();
  }

  /**
   * Refuses a change of an operator, or the rest of one that is made piece by piece.
   *
   * @throws ReadOnlyError with the sentence for operators
   */
  assertWritableByOperators(): void {
    const { sentence } = this;
    if (sentence !== undefined) throw new ReadOnlyError(`${sentence} Until that ends, nothing is changed.`);
  }

  /** Reads the mode from the database, which happens anyway within two seconds. */
  async refresh(): Promise<void> {
    try {
      this.isRefusing = await this.modes.isOn();
      this.hasBeenRead = true;
      this.row = this.isRefusing ? await this.modes.find() : null;
      this.isReadable = true;
    } catch (error) {
      // The last known mode stays in force. Until there is one the mode counts as on, unless its table is still to be made.
      if (!this.hasBeenRead) this.isRefusing = !isSchemaBehind(error);
      this.report(error);
    }
  }

  /** Logs the first of several faults in a row; readiness reports that the database is away. */
  private report(error: unknown): void {
    if (this.isReadable && !(error instanceof ServiceUnavailableError)) {
      this.logger.error({ err: error }, 'The row of read-only mode in service_modes cannot be read.');
      this.isReadable = false;
    }
  }

  private refreshLater(): void {
    if (this.hasEnded) return;
    this.timer = setTimeout(
      () => void this.refresh().then(() => this.refreshLater()),
      REFRESH_INTERVAL_MS,
    ).unref();
  }
}
