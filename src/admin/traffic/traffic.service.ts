import { Injectable } from '@nestjs/common';
import { LATENCY_COLUMNS, type Latencies, quantile } from './latency';
import type { ServingProcess } from './serving-process.entity';
import { MINUTE_MS } from './traffic-recorder.service';
import { TrafficRepository, type TrafficSums } from './traffic.repository';

/** How long after it was last seen a process counts as serving, in milliseconds: three beats. */
const ALIVE_MS = 3 * MINUTE_MS;

/** What all nodes together answered in one stretch of time. */
export interface TrafficPoint {
  /** Where it begins. */
  readonly at: Date;
  readonly requests: number;
  /** Answered 2xx or 3xx. */
  readonly succeeded: number;
  /** Answered 4xx. */
  readonly clientErrors: number;
  /** Answered 5xx. */
  readonly serverErrors: number;
  /** Durations in milliseconds, within the bounds that are counted; undefined when there were no requests. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
}

/** A process that serves or has served in the last two days. */
export interface NodeProcess extends Readonly<ServingProcess> {
  /** `serving`; `left`, which stopped as it should; `lost`, which has not been seen for three minutes. */
  readonly state: 'serving' | 'left' | 'lost';
}

/** What all nodes have answered lately, and which there are. */
@Injectable()
export class TrafficService {
  constructor(private readonly traffic: TrafficRepository) {}

  /**
   * What was answered from the step that an instant is in until before that of another, every step of it. A minute is
   * there when it is over.
   *
   * @param stepMinutes length of a step in minutes; steps begin at multiples of it since 1970
   */
  async between(from: Date, to: Date, stepMinutes: number): Promise<TrafficPoint[]> {
    const begin = stepOf(from, stepMinutes);
    const end = stepOf(to, stepMinutes);
    const sums = await this.traffic.sums(begin, end, stepMinutes);
    const byMinute = new Map(sums.map((each) => [each.minute, each]));
    return Array.from({ length: Math.max(0, end - begin) / stepMinutes }, (_, i) => {
      const minute = begin + i * stepMinutes;
      return pointOf(byMinute.get(minute) ?? nothingIn(minute));
    });
  }

  /** {@link between} as a whole, to the minute. */
  async total(from: Date, to: Date): Promise<TrafficPoint> {
    const begin = stepOf(from, 1);
    const whole = nothingIn(begin);
    for (const { minute: _, ...sums } of await this.traffic.sums(begin, stepOf(to, 1), 1)) {
      for (const [name, value] of Object.entries(sums)) whole[name as keyof typeof sums] += value;
    }
    return pointOf(whole);
  }

  /** The processes of the last two days, as they were seen last. */
  async nodes(now = new Date()): Promise<NodeProcess[]> {
    const processes = await this.traffic.processes();
    return processes.map((process) => ({ ...process, state: stateOf(process, now) }));
  }
}

/** The minute since 1970 that the step begins at which an instant is in. */
function stepOf(instant: Date, stepMinutes: number): number {
  return Math.floor(instant.getTime() / MINUTE_MS / stepMinutes) * stepMinutes;
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
