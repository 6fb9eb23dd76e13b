import { DAY_MS } from '../../../platform/values/calendar';

/** Filters of the request log by name; unset ones are left out. */
type Filters = Readonly<Record<string, string | undefined>>;

/** The address of the logged requests that match filters. */
export function requestsPath(filters: Filters): string {
  const set = Object.entries(filters).filter((each): each is [string, string] => each[1] !== undefined);
  return `/admin/requests?${new URLSearchParams(set).toString()}`;
}

/** The address of the logged requests of a time, by the step of a chart; none before the log begins. */
export function requestsDuring(
  logDays: number,
  filters: Filters = {},
): (from: Date, to: Date) => string | undefined {
  const begin = logDays > 0 ? Date.now() - logDays * DAY_MS : Infinity;
  return (from, to) =>
    to.getTime() > begin
      ? requestsPath({ ...filters, from: minuteText(from), to: minuteText(to) })
      : undefined;
}

/** A minute in UTC as the filters of the request log have it: `2026-01-31T12:00`. */
export function minuteText(instant: Date): string {
  return instant.toISOString().slice(0, 16);
}
