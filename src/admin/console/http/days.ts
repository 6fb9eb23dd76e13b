import { startOfDay } from '../../../platform/values/text-formats';
import { DAY_MS } from '../../../platform/values/calendar';

/** The end of a day, which is the beginning of the next. @returns undefined if the text is not a day */
export function endOfDay(text: string): Date | undefined {
  const start = startOfDay(text);
  return start && new Date(start.getTime() + DAY_MS);
}

/** Today's date in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
