import { DAY_MS, dayOf } from '../../../platform/values/calendar';
import { startOfDay } from '../../../platform/values/text-formats';

/** The latest instant: PostgreSQL's text of a later one has no form in RFC 3339. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The end of a day, which is the beginning of the next. @returns undefined if the text is not a day */
export function endOfDay(text: string): Date | undefined {
  const start = startOfDay(text);
  return start && new Date(Math.min(start.getTime() + DAY_MS, LAST_INSTANT));
}

/** Today's date in UTC. */
export function today(): string {
  return dayOf(new Date());
}
