import { Injectable } from '@nestjs/common';
import { LATENCY_COLUMNS, type Latencies, quantile } from './latency';
import type { ServingProcess } from './serving-process.entity';
import { MINUTE_MS, minuteOf } from './traffic-recorder.service';
import { TrafficRepository, type TrafficSums } from './traffic.repository';

/** Time after its last report for which a process counts as serving, in milliseconds: three reports. */
const ALIVE_MS = 3 * MINUTE_MS;

/** Time after the end of a minute by which all processes have usually written it, in milliseconds. */
const WRITTEN_WITHIN_MS = 5_000;

/** Requests that all nodes together served in one span of time. */
export interface TrafficPoint {
  /** Beginning of the span. */
  readonly at: Date;
  readonly requests: number;
  /** Requests with a response of 2xx or 3xx. */
  readonly succeeded: number;
  /** Requests with a response of 4xx. */
  readonly clientErrors: number;
  /** Requests with a response of 5xx. */
  readonly serverErrors: number;
  /** Quantiles of durations in milliseconds, by the bounds that are counted; undefined if there were no requests. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
}

/** The minutes of a span of time that had requests. */
export interface BusyMinutes {
  readonly count: number;
  /** Requests in the busiest minute. */
  readonly most: number;
}

/** A process that serves or has served in the last two days. */
export interface NodeProcess extends Readonly<ServingProcess> {
  /** `serving`; `left` after a proper stop; `lost` if not seen for three minutes. */
  readonly state: 'serving' | 'left' | 'lost';
}

/** Reports the recent traffic of all nodes, and their processes. */
@Injectable()
export class TrafficService {
  constructor(private readonly traffic: TrafficRepository) {}

  /**
   * Reports the traffic in each of the steps up to the last minute that is over.
   *
   * @param steps the number of steps
   * @param stepMinutes the length of each in minutes
   */
  async steps(steps: number, stepMinutes: number, now = new Date()): Promise<TrafficPoint[]> {
    const to = minuteUnderWay(now);
    const from = to - steps * stepMinutes;
    const sums = await this.traffic.sums(from, to, stepMinutes);
    const byMinute = new Map(sums.map((each) => [each.minute, each]));
    return Array.from({ length: steps }, (_, i) => {
      const minute = from + i * stepMinutes;
      return pointOf(byMinute.get(minute) ?? nothingIn(minute));
    });
  }

  /** Reports the traffic in the last minutes that are over, as a whole. */
  async total(minutes: number, now = new Date()): Promise<TrafficPoint> {
    const [whole] = await this.steps(1, minutes, now);
    return whole as TrafficPoint;
  }

  /** Counts the minutes with requests among the last that are over, and the requests in the busiest. */
  busyMinutes(minutes: number, now = new Date()): Promise<BusyMinutes> {
    const to = minuteUnderWay(now);
    return this.traffic.busyMinutes(to - minutes, to);
  }

  /** The processes of the last two days, most recently seen first. */
  async nodes(now = new Date()): Promise<NodeProcess[]> {
    const processes = await this.traffic.processes();
    return processes.map((process) => ({ ...process, state: stateOf(process, now) }));
  }
}

/** The minute since 1970 that is not over yet, or that processes have still to write. */
export function minuteUnderWay(now: Date): number {
  return minuteOf(now.getTime() - WRITTEN_WITHIN_MS);
}

function nothingIn(minute: number): TrafficSums {
  const latencies = Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, 0])) as Latencies;
  return { minute, requests: 0, succeeded: 0, clientErrors: 0, serverErrors: 0, ...latencies };
}

function pointOf(sums: TrafficSums): TrafficPoint {
  const { minute, requests, succeeded, clientErrors, serverErrors } = sums;
  return {
    at: new Date(minute * MINUTE_MS),
    requests,
    succeeded,
    clientErrors,
    serverErrors,
    p50: quantile(0.5, sums, requests),
    p95: quantile(0.95, sums, requests),
    p99: quantile(0.99, sums, requests),
  };
}

function stateOf({ leftAt, seenAt }: Readonly<ServingProcess>, now: Date): NodeProcess['state'] {
  if (leftAt) return 'left';
  return now.getTime() - seenAt.getTime() < ALIVE_MS ? 'serving' : 'lost';
}

/** The times at which processes served and measured. Outside of them, no requests means that nothing was measured. */
export class Coverage {
  private readonly spans: readonly { readonly from: number; readonly to: number }[];

  /** @param processes the processes of the last two days, which are kept */
  constructor(processes: readonly NodeProcess[], now: Date) {
    this.spans = processes.map(({ state, startedAt, seenAt, leftAt }) => ({
      from: startedAt.getTime(),
      to: (state === 'serving' ? now : (leftAt ?? seenAt)).getTime(),
    }));
  }

  /** The earliest time with measurements, if any. */
  get from(): number | undefined {
    return this.spans.length === 0 ? undefined : Math.min(...this.spans.map(({ from }) => from));
  }

  /** True if a process served within some minutes from an instant on. */
  includes(at: Date, minutes: number): boolean {
    const [from, to] = [at.getTime(), at.getTime() + minutes * MINUTE_MS];
    return this.spans.some((span) => span.from < to && span.to >= from);
  }
}
