import type { Histogram, Registry } from '@prometheus-io/client';
import { addGauge } from './add-gauge';

/** Upper bounds in seconds: those of OpenTelemetry's HTTP conventions, and two below, where most responses are. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The same in milliseconds. */
export const BOUNDS_MS: readonly number[] = BOUNDS.map((seconds) => seconds * 1_000);

/** The methods OpenTelemetry knows (RFC 9110 and RFC 5789). A parser knows more, and a client may send each of them. */
const KNOWN_METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** OpenTelemetry's name for all other methods. */
export const OTHER_METHOD = '_OTHER';

/** Returns the method, or {@link OTHER_METHOD} for one that OpenTelemetry does not know. */
export function knownMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : OTHER_METHOD;
}

const NAME = 'http_server_request_duration_seconds';
const HELP = 'Duration of requests on the public port, from arrival to the last byte handed to the system.';

const WAIT_NAME = 'petstore_request_wait_seconds';
const WAIT_HELP =
  'Time that requests waited before the service began with them: for the event loop, or for the previous response on their connection.';

/** Operation of a request: one object for all requests of the same operation. */
interface Routed {
  /** Path template, `/v1/pets/{petId}`. */
  readonly template: string;
  /** True if its requests are left out of the totals. */
  readonly isQuiet?: boolean;
}

/** Durations with all labels in common. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly isQuiet: boolean;
  /** Number of durations up to each bound and above the one before. */
  readonly within: number[];
  count: number;
  sumMs: number;
}

/** Totals of all requests so far, of every operation but the quiet ones. */
export interface RequestTotals {
  readonly requests: number;
  /** Requests with a response of 2xx or 3xx. */
  readonly succeeded: number;
  /** Requests with a response of 4xx. */
  readonly clientErrors: number;
  /** Requests with a response of 5xx. */
  readonly serverErrors: number;
  /** Number of requests, for each of {@link BOUNDS_MS}, that took up to that long and longer than the one before. */
  readonly within: readonly number[];
}

/** Requests by status. */
type ByStatus = Map<number | undefined, Series>;

/**
 * Number of running requests, and durations of all, by method, route template and status. Plain numbers, which a scrape turns
 * into the histogram: to observe a request takes 0.03 µs this way, and 0.4 µs in the library's own.
 */
export class RequestMetrics {
  private active = 0;
  private readonly all: Series[] = [];
  private readonly waits = seriesOf({});
  private readonly routed = new Map<Routed, Map<string, ByStatus>>();
  private readonly unrouted = new Map<string, ByStatus>();

  constructor(registry: Registry) {
    addGauge(
      registry,
      'http_server_active_requests',
      'Requests under way on the public port.',
      () => this.active,
    );
    // A registry takes any object with a name and a way to read its values.
    const register = (name: string, help: string, all: readonly Series[]) => {
      const histogram = { name, get: () => Promise.resolve(read(name, help, all)) };
      registry.registerMetric(histogram as unknown as Histogram);
    };
    register(NAME, HELP, this.all);
    register(WAIT_NAME, WAIT_HELP, [this.waits]);
  }

  /** Counts a request that has arrived. */
  begin(): void {
    this.active += 1;
  }

  /**
   * Counts the end of a request that began.
   *
   * @param operation of the request; undefined when there was none
   * @param status undefined when the client went away before it had the response
   * @param waitMs part of the duration before the service began with it
   */
  end(
    method: string,
    operation: Routed | undefined,
    status: number | undefined,
    durationMs: number,
    waitMs = 0,
  ): void {
    this.active -= 1;
    observe(this.seriesOf(knownMethod(method), operation, status), durationMs);
    observe(this.waits, waitMs);
  }

  /** Counts a refusal of bytes that never became a request. */
  refuse(status: number): void {
    observe(this.seriesOf(OTHER_METHOD, undefined, status), 0);
  }

  /** Sums all operations but the quiet ones. The difference of two results covers the time between them. */
  totals(): RequestTotals {
    const within = BOUNDS.map(() => 0);
    const byClass = [0, 0, 0, 0, 0, 0];
    let requests = 0;
    for (const series of this.all) {
      if (series.isQuiet) continue;
      requests += series.count;
      // Requests whose client left have no status; their class is one that no reader asks for.
      const statusClass = Math.floor(Number(series.labels.http_response_status_code) / 100);
      byClass[statusClass] = (byClass[statusClass] ?? 0) + series.count;
      series.within.forEach((count, i) => ((within[i] as number) += count));
    }
    const [, , ok = 0, redirected = 0, clientErrors = 0, serverErrors = 0] = byClass;
    return { requests, succeeded: ok + redirected, clientErrors, serverErrors, within };
  }

  private seriesOf(method: string, operation: Routed | undefined, status: number | undefined): Series {
    let methods = this.unrouted;
    if (operation) {
      const known = this.routed.get(operation);
      methods = known ?? new Map<string, ByStatus>();
      if (!known) this.routed.set(operation, methods);
    }
    let statuses = methods.get(method);
    if (!statuses) methods.set(method, (statuses = new Map()));
    let series = statuses.get(status);
    if (!series) statuses.set(status, (series = this.addSeries(method, operation, status)));
    return series;
  }

  private addSeries(method: string, operation: Routed | undefined, status: number | undefined): Series {
    const labels = {
      http_request_method: method,
      http_route: operation?.template ?? '',
      http_response_status_code: String(status ?? ''),
    };
    const series = seriesOf(labels, operation?.isQuiet);
    this.all.push(series);
    return series;
  }
}

function seriesOf(labels: Series['labels'], isQuiet = false): Series {
  return { labels, isQuiet, within: BOUNDS.map(() => 0), count: 0, sumMs: 0 };
}

function observe(series: Series, ms: number): void {
  series.count += 1;
  series.sumMs += ms;
  for (let i = 0; i < BOUNDS_MS.length; i++) {
    if (ms <= (BOUNDS_MS[i] as number)) {
      (series.within[i] as number)++;
      return;
    }
  }
}

/** Returns the values in the form of the library's histograms. */
function read(name: string, help: string, all: readonly Series[]) {
  return {
    name,
    help,
    type: 'histogram',
    values: all.flatMap(({ labels, within, count, sumMs }) => {
      let below = 0;
      const buckets = BOUNDS.map((bound, i) => {
        below += within[i] as number;
        return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: below };
      });
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels, value: sumMs / 1_000 },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  };
}
