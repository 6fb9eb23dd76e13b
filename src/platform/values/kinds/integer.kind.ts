import type { Kind } from './kind';
import { exactInteger, isWithin, type NumberLimits } from './numbers';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** A 32-bit integer: `number` in DTOs and entities (OpenAPI format int32). */
export const integerKind = {
  rule: (limits) => ({
    schema: { type: 'integer', format: 'int32', minimum: limits.minimum, maximum: limits.maximum },
    read: (value, body) => {
      if (typeof value === 'bigint') return Number(value);
      // Already converted: another pipe asks for the same DTO.
      if (Object.getPrototypeOf(body) !== Object.prototype) return value;
      // A number that the JSON reader leaves as one is not an integer by its digits, although its double may be.
      return typeof value === 'number' ? Number.NaN : value;
    },
    isValid: (value) => typeof value === 'number' && (value | 0) === value && isWithin(value, limits),
    sentence: `must be an integer from ${limits.minimum ?? INT32_MIN} to ${limits.maximum ?? INT32_MAX}`,
  }),
  fromText: (text) => {
    const value = parsePlainInteger(text);
    return value !== undefined && value >= INT32_MIN && value <= INT32_MAX ? value : undefined;
  },
  toJson: exactInteger,
  column: {
    word: 'integer',
    type: 'integer',
    sqlite: 'integer',
    postgres: 'integer',
    fromDatabase: (value: number | bigint | null) => (value === null ? null : storedInteger(value)),
    isConvertedOnSqlite: true,
  },
  control: { attributes: { inputmode: 'numeric' } },
  isAmount: true,
} as const satisfies Kind<NumberLimits>;

/** @throws Error for what a file of SQLite may have in any column: a limit that is no number would limit nothing */
function storedInteger(value: number | bigint): number {
  const number = Number(value);
  if (Number.isNaN(number)) throw new Error(`The database has an integer that cannot be read: ${value}`);
  return number;
}

/** Reads an integer that a double holds. Number() would take 1e1, +5, 0x10, 5.0 and 05 as well. */
export function parsePlainInteger(text: string): number | undefined {
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}
