/** How a number that only grows does so: by so much a minute for so many minutes. */
export type Phases = readonly (readonly [minutes: number, perMinute: number])[];

/** In minutes. */
export const HOUR = 60;
/** In minutes. */
export const DAY = 24 * HOUR;

/** A counter in promtool's notation, looked at every `step` minutes. */
export function counter(phases: Phases, step = 1): string {
  let last = 0;
  const parts = phases.map(([minutes, perMinute]) => {
    const each = perMinute * step;
    const count = minutes / step;
    const first = last + each;
    last += count * each;
    return `${first}+${each}x${count - 1}`;
  });
  return ['0', ...parts].join(' ');
}

/** A gauge that holds still. */
export function gauge(value: number, minutes: number): string {
  return `${value}x${minutes}`;
}

/** The labels of the one node that the numbers are of. */
export const JOB = 'job="petstore",instance="a"';

interface Requests {
  /** Empty of those whose clients left before they had a response. */
  readonly status?: number | '';
  readonly route?: string;
  readonly slow?: Phases;
  readonly step?: number;
}

/** Requests that a node counted; all in time unless told otherwise. */
export function requests(
  all: Phases,
  { status = 200, route = '/v1/pets', slow = [], step = 1 }: Requests = {},
) {
  const labels = `${JOB},http_request_method="GET",http_route="${route}",http_response_status_code="${status}"`;
  const fast = all.map(([minutes, each], index) => [minutes, each - (slow[index]?.[1] ?? 0)] as const);
  return {
    [`http_server_request_duration_seconds_count{${labels}}`]: counter(all, step),
    [`http_server_request_duration_seconds_bucket{${labels},le="0.25"}`]: counter(fast, step),
    [`http_server_request_duration_seconds_bucket{${labels},le="1"}`]: counter(fast, step),
  };
}

/** Numbers of requests of which so many a minute fail a promise. */
export type Shares = (phases: Phases, step?: number) => Record<string, string>;

/** 6,000 requests a minute, of which some fail. */
export const failing: Shares = (phases, step) => ({
  ...requests(
    phases.map(([minutes, failed]) => [minutes, 6_000 - failed]),
    { step },
  ),
  ...requests(phases, { status: 503, step }),
});

/** 6,000 requests a minute, of which some are slow. */
export const slow: Shares = (phases, step) =>
  requests(
    phases.map(([minutes]) => [minutes, 6_000]),
    { slow: phases, step },
  );

/** How long they take together. */
export function minutesOf(phases: Phases): number {
  return phases.reduce((sum, [minutes]) => sum + minutes, 0);
}
