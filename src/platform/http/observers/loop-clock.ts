import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { type Exchange, exchangeOf } from '../exchange/exchange';

/** Shortest wait that counts, in milliseconds: a shorter one is below the precision of the clock. */
const LEAST_WAIT_MS = 1;

/**
 * Tells the earliest time at which the work of an event loop's turn may have arrived. A turn of the loop does work that had
 * arrived when the turn began, so a request came after the beginning of the turn before: its wait is at most the time since
 * then. A turn that the loop has slept ahead of does the work that has woken it. One callback a turn keeps the time; it does
 * not wake the loop.
 */
export class LoopClock implements OnModuleInit, OnApplicationShutdown {
  /** End of the last turn, and the time that the loop had slept by then. */
  private endedAt = performance.now();
  private sleptMs: number;
  /** Earliest time at which the work of this turn may have arrived. */
  private since = this.endedAt;
  /** Time that the loop has slept, once this turn has asked for it. */
  private asked: number | undefined;
  private immediate: NodeJS.Immediate | undefined;

  /** @param slept how long the loop has waited for something to do, in milliseconds */
  constructor(private readonly slept = () => performance.nodeTiming.idleTime) {
    this.sleptMs = slept();
  }

  onModuleInit(): void {
    const next = () => {
      this.endTurn(performance.now());
      this.immediate = setImmediate(next).unref();
    };
    this.immediate = setImmediate(next).unref();
  }

  onApplicationShutdown(): void {
    clearImmediate(this.immediate);
  }

  /**
   * Notes when the request of an exchange came, and that the service begins with it.
   *
   * @param previous the response to the request before it on its connection
   */
  begin(exchange: Exchange, previous: ServerResponse | undefined): void {
    exchange.servedAt = performance.now();
    const after = previous && exchangeOf(previous.req)?.endedAt;
    exchange.arrivedAt = this.arrival(exchange.servedAt, after ?? 0);
  }

  /**
   * Returns the earliest time at which a request may have come.
   *
   * @param now by `performance.now()`, as all of them
   * @param after time of an event that the request came after
   */
  arrival(now: number, after: number): number {
    if (this.asked === undefined) {
      this.asked = this.slept();
      if (this.asked > this.sleptMs) this.since = now;
    }
    const at = Math.max(this.since, after);
    return now - at < LEAST_WAIT_MS ? now : at;
  }

  /** Notes the end of a turn; to be called at the end of every one. */
  endTurn(now: number): void {
    const slept = this.asked ?? this.slept();
    this.since = this.endedAt + slept - this.sleptMs;
    this.endedAt = now;
    this.sleptMs = slept;
    this.asked = undefined;
  }
}
