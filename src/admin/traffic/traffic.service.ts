import { Injectable } from '@nestjs/common';
import { LATENCY_COLUMNS, type Latencies, quantile } from './latency';
import type { ServingProcess } from './serving-process.entity';
import { MINUTE_MS, minuteOf } from './traffic-recorder.service';
import { TrafficRepository, type TrafficSums } from './traffic.repository';

/** How long after it was last seen a process counts as serving, in milliseconds: three beats. */
const ALIVE_MS = 3 * MINUTE_MS;

/** How long after its end a minute is written by all processes, as a rule, in milliseconds. */
const WRITTEN_WITHIN_MS = 5_000;

/** What all nodes together served in one span of time. */
export interface TrafficPoint {
  /** Where it begins. */
  readonly at: Date;
  readonly requests: number;
  /** With a response of 2xx or 3xx. */
  readonly succeeded: number;
  /** With a response of 4xx. */
  readonly clientErrors: number;
  /** With a response of 5xx. */
  readonly serverErrors: number;
  /** Durations in milliseconds, within the bounds that are counted; undefined when there were no requests. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
}

/** The minutes of a span of time in which there were requests. */
export interface BusyMinutes {
  readonly count: number;
  /** Requests in the busiest of them. */
  readonly most: number;
}

/** A process that serves or has served in the last two days. */
export interface NodeProcess extends Readonly<ServingProcess> {
  /** `serving`; `left`, which stopped as it should; `lost`, which has not been seen for three minutes. */
  readonly state: 'serving' | 'left' | 'lost';
}

/** What all nodes have served lately, and which there are. */
@Injectable()
export class TrafficService {
  constructor(private readonly traffic: TrafficRepository) {}

  /**
   * What was served in each of the steps that end with the last minute that is over.
   *
   * @param steps how many
   * @param stepMinutes length of each in minutes
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

  /** What was served in the last minutes that are over, as a whole. */
  async total(minutes: number, now = new Date()): Promise<TrafficPoint> {
    const [whole] = await this.steps(1, minutes, now);
    return whole as TrafficPoint;
  }

  /** How many of the last minutes that are over had requests, and how many the busiest had. */
  busyMinutes(minutes: number, now = new Date()): Promise<BusyMinutes> {
    const to = minuteUnderWay(now);
    return this.traffic.busyMinutes(to - minutes, to);
  }

  /** The processes of the last two days, as they were seen last. */
  async nodes(now = new Date()): Promise<NodeProcess[]> {
    const processes = await this.traffic.processes();
    return processes.map((process) => ({ ...process, state: stateOf(process, now) }));
  }
}

/** The minute since 1970 that is not over yet, or that processes are still about to write. */
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

/** When there were processes that served and measured. Where there was none, no requests is not the same as none measured. */
export class Coverage {
  private readonly spans: readonly { readonly from: number; readonly to: number }[];

  /** @param processes those of the last two days, which are kept */
  constructor(processes: readonly NodeProcess[], now: Date) {
    this.spans = processes.map(({ state, startedAt, seenAt, leftAt }) => ({
      from: startedAt.getTime(),
      to: (state === 'serving' ? now : (leftAt ?? seenAt)).getTime(),
    }));
  }

  /** Since when something is known; undefined while nothing is. */
  get from(): number | undefined {
    return this.spans.length === 0 ? undefined : Math.min(...this.spans.map(({ from }) => from));
  }

  /** Whether a process served within some minutes from an instant on. */
  includes(at: Date, minutes: number): boolean {
    const [from, to] = [at.getTime(), at.getTime() + minutes * MINUTE_MS];
    return this.spans.some((span) => span.from < to && span.to >= from);
  }
}
