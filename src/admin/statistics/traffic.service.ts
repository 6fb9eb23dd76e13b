import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../platform/values/calendar';
import { quantile } from './latency';
import { fittedRange, minutesOf, type Range } from './ranges';
import type { ServingProcess } from './serving-process.entity';
import { Steps } from './steps';
import { addCounts, NO_REQUESTS, type TrafficCounts } from './traffic-counts';
import { minuteOf } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';

/** Time after its last report for which a process counts as serving, in milliseconds: three reports. */
const ALIVE_MS = 3 * MINUTE_MS;

/** Requests that all nodes together served in one span of time. */
export interface TrafficPoint {
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
}

/** Traffic of a range up to the present minute, of which there is what the processes have written. */
export interface Traffic {
  /** The range, shortened to the time for which there is traffic. */
  readonly range: Range;
  readonly steps: Steps;
  /** Traffic in each of the steps. */
  readonly points: readonly TrafficPoint[];
  /** True for steps in which no process served, so that nothing was measured. */
  readonly gaps: readonly boolean[];
  /** Traffic of the whole range. */
  readonly total: TrafficPoint;
  /** Number of minutes that had requests. */
  readonly busyMinutes: number;
  /** Requests in the busiest minute. */
  readonly mostInMinute: number;
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

  async during(range: Range, now = new Date()): Promise<Traffic> {
    const to = minuteOf(now.getTime()) + 1;
    const coverage = new Coverage(await this.nodes(now), now);
    // A process may be deleted before its minutes.
    const first = await this.traffic.firstMinute(to - minutesOf(range), to);
    const fitted = fittedRange(range, to - Math.min(first, minuteOf(coverage.from)));
    const { steps: count, stepMinutes } = fitted;
    const from = to - minutesOf(fitted);
    const steps = new Steps(new Date(from * MINUTE_MS), stepMinutes * MINUTE_MS, count);
    const sums = await this.traffic.sums(from, to, stepMinutes);
    const byMinute = new Map(sums.map((each) => [each.minute, pointOf(each)]));
    const points = Array.from(
      { length: count },
      (_, i) => byMinute.get(from + i * stepMinutes) ?? NO_TRAFFIC,
    );
    return {
      range: fitted,
      steps,
      points,
      gaps: steps.instants.map((at, i) => points[i]?.requests === 0 && !coverage.includes(at, stepMinutes)),
      total: pointOf(sums.reduce<TrafficCounts>(addCounts, NO_REQUESTS)),
      busyMinutes: sums.reduce((all, { busyMinutes }) => all + busyMinutes, 0),
      mostInMinute: sums.reduce((most, { mostInMinute }) => Math.max(most, mostInMinute), 0),
    };
  }

  /** The processes of the last two days, most recently seen first. */
  async nodes(now = new Date()): Promise<NodeProcess[]> {
    const processes = await this.traffic.processes();
    return processes.map((process) => ({ ...process, state: stateOf(process, now) }));
  }
}

const NO_TRAFFIC = pointOf(NO_REQUESTS);

function pointOf(counts: TrafficCounts): TrafficPoint {
  const { requests, succeeded, clientErrors, serverErrors } = counts;
  return {
    ...{ requests, succeeded, clientErrors, serverErrors },
    p50: quantile(0.5, counts, requests),
    p95: quantile(0.95, counts, requests),
  };
}

function stateOf({ leftAt, seenAt }: Readonly<ServingProcess>, now: Date): NodeProcess['state'] {
  if (leftAt) return 'left';
  return now.getTime() - seenAt.getTime() < ALIVE_MS ? 'serving' : 'lost';
}

/** The times at which processes served and measured. Outside of them, no requests means that nothing was measured. */
class Coverage {
  private readonly spans: readonly { readonly from: number; readonly to: number }[];

  /** @param processes the processes of the last two days, which are kept */
  constructor(processes: readonly NodeProcess[], now: Date) {
    this.spans = processes.map(({ state, startedAt, seenAt, leftAt }) => ({
      from: startedAt.getTime(),
      to: (state === 'serving' ? now : (leftAt ?? seenAt)).getTime(),
    }));
  }

  /** The earliest time with measurements; infinite if there is none. */
  get from(): number {
    return Math.min(...this.spans.map(({ from }) => from));
  }

  /** True if a process served within some minutes from an instant on. */
  includes(at: Date, minutes: number): boolean {
    const [from, to] = [at.getTime(), at.getTime() + minutes * MINUTE_MS];
    return this.spans.some((span) => span.from < to && span.to >= from);
  }
}
