import { JSON_NUMBER } from '../int64';
import type { Kind } from './kind';
import { isWithin, jsonNumber, limitsInWords, type NumberLimits } from './numbers';

/** A number, kept as an IEEE 754 double (OpenAPI format double). */
export const numberKind = {
  rule: (limits) => ({
    schema: { type: 'number', format: 'double', minimum: limits.minimum, maximum: limits.maximum },
    read: (value) => (typeof value === 'bigint' ? Number(value) : value),
    isValid: (value) => typeof value === 'number' && Number.isFinite(value) && isWithin(value, limits),
    sentence: `must be a number ${limitsInWords(limits.minimum, limits.maximum) || 'within the range of a double'}`,
  }),
  fromText: (text) => (JSON_NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  toJson: jsonNumber,
  column: {
    word: 'double',
    type: 'double precision',
    sqlite: 'double precision',
    postgres: 'double precision',
  },
  control: { attributes: { inputmode: 'decimal' } },
  isAmount: true,
} as const satisfies Kind<NumberLimits>;
