import { InvalidArgumentError } from 'commander';
import { readDay, readDuration, readNames } from '../../../platform/cli/option-values';
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
      if (!(error instanceof InvalidArgumentError)) throw error;
      errors[name] = error.message;
      return undefined;
    }
  };
  const first = read('first', () => readDay(fields.first));
  const last = fields.last === '' ? undefined : read('last', () => readDay(fields.last));
  const at = read('at', () => readTimeOfDay(fields.at));
  const everyMs = read('every', () => readDuration(fields.every));
  const lengthsMs = read('lengths', () => readNames(fields.lengths).map(readDuration));
  if (Object.keys(errors).length > 0 || !first || !at || !everyMs || !lengthsMs) return { errors };
  return { schedule: { first, last, at, everyMs, lengthsMs } };
}

function readTimeOfDay(text: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) throw new InvalidArgumentError('Write it as 10:00.');
  return text;
}
