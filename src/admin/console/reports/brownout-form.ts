import {
  InvalidValueError,
  parseDay,
  parseDuration,
  parseTimeOfDay,
} from '../../../platform/values/written-values';
import type { BrownoutSchedule } from '../../reports/brownout-plan';

/** What the form of a plan holds, as typed. */
export type BrownoutFields = Readonly<
  Record<'operation' | 'first' | 'last' | 'at' | 'every' | 'lengths', string>
>;

/** What is wrong with each field. */
export type FieldErrors = Readonly<Record<string, string>>;

const DEFAULTS = { operation: '', first: '', last: '', at: '10:00', every: '1w', lengths: '5m, 15m, 1h, 4h' };

/** The fields as the address has them, or as a plan usually begins. */
export function brownoutFields(query: URLSearchParams): BrownoutFields {
  const entries = Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name)?.trim() ?? value]);
  return Object.fromEntries(entries) as BrownoutFields;
}

/** The schedule the fields mean, or what is wrong with them. */
export function readSchedule(
  fields: BrownoutFields,
):
  | { readonly schedule: BrownoutSchedule; readonly errors?: undefined }
  | { readonly errors: FieldErrors; readonly schedule?: undefined } {
  const errors: Record<string, string> = {};
  const read = <T>(name: string, reader: () => T): T | undefined => {
    try {
      return reader();
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      errors[name] = error.message;
      return undefined;
    }
  };
  const first = read('first', () => parseDay(fields.first));
  const last = fields.last === '' ? undefined : read('last', () => parseDay(fields.last));
  const at = read('at', () => parseTimeOfDay(fields.at));
  const everyMs = read('every', () => parseDuration(fields.every));
  const lengthsMs = read('lengths', () =>
    fields.lengths.split(',').map((length) => parseDuration(length.trim())),
  );
  if (Object.keys(errors).length > 0 || !first || !at || !everyMs || !lengthsMs) return { errors };
  return { schedule: { first, last, at, everyMs, lengthsMs } };
}
