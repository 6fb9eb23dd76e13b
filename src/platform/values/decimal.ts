/** Number of digits of a decimal, and of those after the point: `decimal(10,2)`. */
export interface DecimalDigits {
  readonly precision: number;
  readonly scale: number;
}

const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Returns a decimal with all digits after the point: `12.50` for `12.5`. It stays a text, because a double would round.
 *
 * @returns undefined for a value that is not a decimal, or has more digits
 */
export function readDecimal(value: unknown, { precision, scale }: DecimalDigits): string | undefined {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(typeof value === 'string' ? value : '') ?? [];
  if (whole === undefined || fraction.length > scale) return undefined;
  if (whole !== '0' && whole.length > precision - scale) return undefined;
  const text = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`;
  return /[1-9]/.test(text) ? sign + text : text;
}

/**
 * Compares two decimals of the same scale: returns a negative number, zero or a positive one, as a comparison function does.
 */
export function compareDecimals(one: string, other: string): number {
  const difference = unscaled(one) - unscaled(other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Returns the regular expression of the texts that {@link readDecimal} takes. */
export function decimalPattern({ precision, scale }: DecimalDigits): string {
  const whole = precision === scale ? '0' : `(0|[1-9]\\d{0,${precision - scale - 1}})`;
  return `^-?${whole}${scale === 0 ? '' : `(\\.\\d{1,${scale}})?`}$`;
}

function unscaled(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
