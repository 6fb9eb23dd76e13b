import { readDateTime } from '../values/text-formats';

/** A period in which an operation responds as if it were removed: from `from` until just before `to`. */
export interface BrownoutWindow {
  readonly from: Date;
  readonly to: Date;
}

/** Decision of the configuration about one operation. */
export type OperationState =
  | { readonly state: 'active' }
  | { readonly state: 'brownout'; readonly windows: readonly BrownoutWindow[] }
  | { readonly state: 'removed' };

/** Result of reading a text. A fault tells its position, and never repeats the text. */
type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** States by operationId. An operation that is not named is active. */
export type OperationStates = ReadonlyMap<string, OperationState>;

/** Format that {@link readOperationStates} reads, in words. */
export const OPERATION_STATES_FORMAT =
  'operation=active, operation=removed or operation=brownout(start/end, ...), separated by semicolons';

/**
 * Reads operations and their states, separated by semicolons: `getPet=removed`, `getPet=active` or `getPet=brownout(<window>,
 * <window>)`. A window is an ISO 8601 interval: a start with its time zone, a slash, and an end or a duration. The windows of
 * an operation are sorted and lie apart, so that a client may retry at the end of one.
 */
export function readOperationStates(text: string): Parsed<OperationStates> {
  const states = new Map<string, OperationState>();
  for (const [index, entry] of (text === '' ? [] : text.split(';')).entries()) {
    const [, operation = '', state = ''] = /^\s*([A-Za-z]\w*)\s*=\s*(.*?)\s*$/s.exec(entry) ?? [];
    const parsed = states.has(operation) ? { fault: 'names an operation again' } : readState(state);
    if ('fault' in parsed) return { fault: `entry ${index + 1} ${parsed.fault}` };
    states.set(operation, parsed.value);
  }
  return { value: states };
}

function readState(text: string): Parsed<OperationState> {
  if (text === 'active' || text === 'removed') {
    return { value: { state: text } };
  }
  const list = /^brownout\s*\((.*)\)$/s.exec(text)?.[1];
  if (list === undefined) {
    return { fault: 'has none of these forms' };
  }
  const windows: BrownoutWindow[] = [];
  for (const [index, interval] of list.split(',').entries()) {
    const window = parseWindow(interval.trim());
    if (!window) {
      return {
        fault: `has a faulty window ${index + 1}; write 2030-06-01T00:00:00Z/PT1H or 2030-06-01T00:00Z/2030-06-01T01:00Z, the end after the start`,
      };
    }
    windows.push(window);
  }
  windows.sort((a, b) => a.from.getTime() - b.from.getTime());
  const apart = windows.every((window, index) => index === 0 || windows[index - 1]!.to < window.from);
  return apart
    ? { value: { state: 'brownout', windows: Object.freeze(windows) } }
    : { fault: 'has windows that overlap or touch' };
}

function parseWindow(interval: string): BrownoutWindow | undefined {
  const [start = '', end = '', ...rest] = interval.split('/');
  const from = parseInstant(start);
  if (!from || rest.length > 0) return undefined;
  const length = parseDuration(end);
  const to = length === undefined ? parseInstant(end) : new Date(from.getTime() + length);
  return to && to > from ? { from, to } : undefined;
}

/** Returns the time of an RFC 3339 date-time, seconds optional; undefined for any other text. */
function parseInstant(text: string): Date | undefined {
  return readDateTime(text.replace(/T\d\d:\d\d(?!:)/i, '$&:00'));
}

/** Returns the milliseconds of an ISO 8601 duration in days, hours, minutes and seconds; a day has 24 hours. */
function parseDuration(text: string): number | undefined {
  const match = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/.exec(text);
  if (!match) {
    return undefined;
  }
  const [days, hours, minutes, seconds] = match
    .slice(1)
    .map((digits: string | undefined) => Number(digits ?? 0));
  return (((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
}
