import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ServiceUnavailableError } from '../errors/http-errors';
import { addGauge } from '../telemetry/add-gauge';
import { Metrics } from '../telemetry/metrics';
import type { ServiceMode } from './service-mode.entity';
import { ServiceModesRepository } from './service-modes.repository';

/** Milliseconds between two reads of the mode from the database. */
export const REFRESH_INTERVAL_MS = 2_000;

/** Refusal of a change in read-only mode: intended, so it is not logged as a fault. */
export class ReadOnlyError extends ServiceUnavailableError {
  /** @param message for operators, with the reason */
  constructor(message = 'The service is read-only for a while and changes nothing; reads go on.') {
    super({ message, headers: { 'Retry-After': '10' } });
  }
}

/**
 * Read-only mode of the service, which an operator switches on by a row that all nodes see. The row is read in the background, so
 * that no request waits for it.
 */
@Injectable()
export class ReadOnlyMode implements OnModuleInit, OnApplicationShutdown {
  private row: ServiceMode | null = null;
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  constructor(
    private readonly modes: ServiceModesRepository,
    { registry }: Metrics,
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
    return this.row !== null;
  }

  /** Sentence for operators that the mode is on, since when and why; undefined while it is off. */
  get sentence(): string | undefined {
    if (this.row === null) return undefined;
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
   * Refuses a change of an operator.
   *
   * @throws ReadOnlyError with the sentence for operators
   */
  assertWritableByOperators(): void {
    const { sentence } = this;
    if (sentence !== undefined) throw new ReadOnlyError(`${sentence} Nothing was changed.`);
  }

  private async refresh(): Promise<void> {
    try {
      this.row = await this.modes.find();
    } catch {
      // The last known mode stays in force. Readiness reports the fault of the database.
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
