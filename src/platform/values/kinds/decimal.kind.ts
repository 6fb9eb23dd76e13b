import { compareDecimals, type DecimalDigits, decimalPattern, readDecimal } from '../decimal';
import type { Kind } from './kind';
import { limitsInWords } from './numbers';

/** Digits of a decimal, with its least and greatest value, both allowed. */
export interface DecimalLimits extends DecimalDigits {
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
}

/**
 * An exact decimal: a `string` in DTOs and entities, with all digits after the point (`12.50`). It is a text in JSON, because
 * most clients turn a number into a double. SQLite keeps doubles, which tell decimals of up to 15 digits apart and sort them.
 */
export const decimalKind = {
  rule: (given) => {
    const { precision, scale } = given;
    const [minimum, maximum] = [given.minimum, given.maximum].map((limit) => readDecimal(limit, given));
    const limits = limitsInWords(minimum, maximum);
    const example = readDecimal('1', given) ?? readDecimal('0', given);
    return {
      schema: {
        type: 'string',
        format: 'decimal',
        pattern: decimalPattern(given),
        // JSON Schema has no limits on the value of a text: people read them in the description, and the tests of the contract
        // in extensions.
        ...(minimum !== undefined && { 'x-minimum': minimum }),
        ...(maximum !== undefined && { 'x-maximum': maximum }),
      },
      limits,
      read: (value) => readDecimal(value, given) ?? value,
      isValid: (value) => isDecimalWithin(readDecimal(value, given), minimum, maximum),
      sentence: `must be a decimal in a string, such as "${example}", with at most ${precision - scale} digits before the point and ${scale} behind it${limits && `, ${limits}`}`,
      textSentence: `must be a decimal such as ${example}`,
    };
  },
  fromText: readDecimal,
  column: {
    word: 'decimal',
    type: 'numeric',
    sqlite: 'numeric',
    postgres: 'numeric',
    fromDatabase: (value: string | number | bigint | null, { scale }) =>
      value === null || typeof value === 'string' ? value : Number(value).toFixed(scale),
    isConvertedOnSqlite: true,
    comparedAs: { sqlite: 'real', postgres: 'numeric' },
  },
  control: { attributes: { inputmode: 'decimal' } },
  isAmount: true,
} as const satisfies Kind<DecimalLimits>;

function isDecimalWithin(
  value: string | undefined,
  minimum: string | undefined,
  maximum: string | undefined,
): boolean {
  if (value === undefined) return false;
  const isEnough = minimum === undefined || compareDecimals(value, minimum) >= 0;
  return isEnough && (maximum === undefined || compareDecimals(value, maximum) <= 0);
}
