import { INT64_MAX, INT64_MIN, parseDecimalInt64 } from '../int64';
import type { Kind } from './kind';
import { exactInteger, isWithin, type NumberLimits } from './numbers';

/** A 64-bit integer: `bigint` in DTOs and entities, exact (OpenAPI format int64). */
export const int64Kind = {
  rule: (limits) => ({
    schema: { type: 'integer', format: 'int64', minimum: limits.minimum, maximum: limits.maximum },
    // The JSON reader returns a bigint for exactly those numbers that are integers within int64.
    isValid: (value) => typeof value === 'bigint' && isWithin(value, limits),
    sentence: `must be an integer from ${limits.minimum ?? INT64_MIN} to ${limits.maximum ?? INT64_MAX}`,
    ...(limits.minimum === undefined &&
      limits.maximum === undefined && { plainSentence: 'must be a whole number of at most 64 bits' }),
  }),
  fromText: parseDecimalInt64,
  toJson: exactInteger,
  column: {
    word: 'int64',
    type: 'bigint',
    // SQLite's INTEGER is 64 bits wide, and only `integer` may be a rowid alias.
    sqlite: 'integer',
    postgres: 'bigint',
    fromDatabase: (value: string | number | bigint | null) => (value === null ? null : BigInt(value)),
  },
  control: { attributes: { inputmode: 'numeric' } },
} as const satisfies Kind<NumberLimits>;
