import { readDate } from '../text-formats';
import type { Kind } from './kind';

/** A day of the calendar, `2026-01-31` (RFC 3339 full-date): a `string` in DTOs and entities, for it has no time zone. */
export const dateKind = {
  rule: () => ({
    schema: { type: 'string', format: 'date' },
    isValid: (value) => readDate(value) !== undefined,
    sentence: 'must be a date such as 2026-01-31',
  }),
  fromText: readDate,
  column: { word: 'date', type: 'date', sqlite: 'date', postgres: 'date' },
  control: { type: 'date' },
  isTime: true,
} as const satisfies Kind<object>;
