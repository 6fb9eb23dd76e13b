import { type Html, html } from '../../../platform/html/html';
import { DAY_MS } from '../../../platform/values/calendar';
import { nothing } from './text';

/** Renders a point in time; `unset` is the text for screen readers if the time is missing. */
export type ShowTime = (instant: Date | string | null | undefined, unset?: string) => Html;

/** Distance from now within which a time is shown as `3 minutes ago`; beyond it, its date is shown. */
const NEAR_MS = 7 * DAY_MS;

const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const RELATIVE = new Intl.RelativeTimeFormat('en');

/** The formats of a zone. Making one takes longer than using it a hundred times. */
interface ZoneFormats {
  readonly date: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
}

const byZone = new Map<string, ZoneFormats>();

/**
 * Renders times as `3 minutes ago`, or by date and time in a zone. A tooltip shows the time to the second, and in UTC too.
 *
 * @param zone a name of the IANA database, or UTC
 */
export function timeIn(zone: string): ShowTime {
  const formats = formatsOf(zone);
  const utc = formatsOf('UTC');
  return (instant, unset = 'never') => {
    if (instant === null || instant === undefined) return nothing(unset);
    const at = new Date(instant);
    const exact = formats.exact.format(at);
    const title = zone === 'UTC' ? exact : `${exact} (${utc.exact.format(at)})`;
    const text = relativeTo(at, Date.now()) ?? formats.date.format(at);
    return html`<time datetime="${at.toISOString()}" title="${title}">${text}</time>`;
  };
}

/** The distance of an instant from another in the largest unit that fits; undefined from a week on. */
function relativeTo(at: Date, now: number): string | undefined {
  const distance = at.getTime() - now;
  if (Math.abs(distance) >= NEAR_MS) return undefined;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? [];
  if (unit === undefined) return distance > 0 ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.trunc(distance / length), unit);
}

function formatsOf(zone: string): ZoneFormats {
  const known = byZone.get(zone);
  if (known) return known;
  const date = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    timeZoneName: 'short',
  } as const;
  const formats = {
    date: new Intl.DateTimeFormat('en-GB', date),
    exact: new Intl.DateTimeFormat('en-GB', { ...date, second: '2-digit' }),
  };
  byZone.set(zone, formats);
  return formats;
}
