import { Injectable } from '@nestjs/common';
import { RateLimitedError } from '../errors/http-errors';
import { Metrics } from '../telemetry/metrics';
import { dayOf } from '../values/calendar';
import { MonthlyUsesRepository } from './monthly-uses.repository';
import { MONTHLY_POLICY } from './rate-limit-policy';
import type { RateLimitFields } from './request-counter';

/** A month of the calendar in UTC. */
interface Month {
  /** First day of the month. */
  readonly first: string;
  readonly seconds: number;
  /** Seconds until the next month begins, at least 1. */
  readonly left: number;
}

/** A request that waits to be counted. */
interface Waiting {
  /** @param left requests that the client may still make; undefined when this one is too many */
  readonly resolve: (left: number | undefined) => void;
  readonly reject: (error: unknown) => void;
  readonly quota: number;
}

/** A quota that was found used up. */
interface UsedUp {
  readonly month: string;
  readonly quota: number;
}

/**
 * Counts the requests of clients with a monthly quota. The database counts, for all nodes: exactly, because a request is let in
 * only after it has been counted. Requests of a client that arrive while an earlier one is counted are counted together.
 */
@Injectable()
export class MonthlyQuotas {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly usedUp = new Map<string, UsedUp>();

  constructor(
    private readonly uses: MonthlyUsesRepository,
    private readonly metrics: Metrics,
  ) {
    metrics.rateLimited.inc({ policy: MONTHLY_POLICY }, 0);
  }

  /**
   * Counts one request of a client.
   *
   * @param fields header fields of the response, about the other limits
   * @returns those fields, with this limit added
   * @throws RateLimitedError when the request is one too many
   */
  async count(lineageId: string, quota: number, fields: RateLimitFields): Promise<RateLimitFields> {
    const month = monthOf(Date.now());
    const left = this.isUsedUp(lineageId, quota, month) ? undefined : await this.take(lineageId, quota);
    const headers = {
      'RateLimit-Policy': item(fields['RateLimit-Policy'], `q=${quota};w=${month.seconds}`),
      RateLimit: item(fields['RateLimit'], `r=${left ?? 0};t=${month.left}`),
    };
    if (left !== undefined) return headers;
    this.metrics.rateLimited.inc({ policy: MONTHLY_POLICY });
    throw new RateLimitedError({ headers: { ...headers, 'Retry-After': String(month.left) } });
  }

  /** Returns the number of requests of this month that a client with a quota has used. */
  used(lineageId: string): Promise<number> {
    return this.uses.used(lineageId, monthOf(Date.now()).first);
  }

  /** Tells whether a quota is known to be used up: nothing is given back within a month, so it stays so until it is raised. */
  private isUsedUp(lineageId: string, quota: number, { first }: Month): boolean {
    const known = this.usedUp.get(lineageId);
    return known?.month === first && quota <= known.quota;
  }

  private take(lineageId: string, quota: number): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const request = { resolve, reject, quota };
    const others = this.waiting.get(lineageId);
    if (others) others.push(request);
    else {
      this.waiting.set(lineageId, [request]);
      void this.countWaiting(lineageId);
    }
    return promise;
  }

  /** Counts the waiting requests, and those that arrive meanwhile, until none waits. */
  private async countWaiting(lineageId: string): Promise<void> {
    for (;;) {
      const batch = this.waiting.get(lineageId) as Waiting[];
      if (batch.length === 0) break;
      this.waiting.set(lineageId, []);
      try {
        await this.countBatch(lineageId, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.waiting.delete(lineageId);
  }

  private async countBatch(lineageId: string, batch: readonly Waiting[]): Promise<void> {
    const month = monthOf(Date.now()).first;
    // The quota of the key may have changed between two of these requests; the later one has the present quota.
    const { quota } = batch.at(-1) as Waiting;
    const used = await this.uses.add({ lineageId, month, used: batch.length, quota });
    if (used === undefined) return this.countSingly(lineageId, month, quota, batch);
    batch.forEach(({ resolve }, index) => resolve(quota - used + batch.length - 1 - index));
  }

  /** Counts the requests one by one, as far as they fit: together they were too many. */
  private async countSingly(
    lineageId: string,
    month: string,
    quota: number,
    batch: readonly Waiting[],
  ): Promise<void> {
    let isFull = batch.length === 1;
    for (const { resolve } of batch) {
      const used = isFull ? undefined : await this.uses.add({ lineageId, month, used: 1, quota });
      isFull ||= used === undefined;
      resolve(used === undefined ? undefined : quota - used);
    }
    if (isFull) this.usedUp.set(lineageId, { month, quota });
  }
}

/** Adds an item about this policy to a list of RFC 9651. */
function item(others: string | undefined, parameters: string): string {
  return [others, `"${MONTHLY_POLICY}";${parameters}`].filter(Boolean).join(', ');
}

function monthOf(now: number): Month {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [start, end] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return {
    first: dayOf(start),
    seconds: (end - start) / 1_000,
    left: Math.max(1, Math.ceil((end - now) / 1_000)),
  };
}
