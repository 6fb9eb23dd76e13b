const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const EXACT = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Formats a number in little space: `1.2K`, `34M`. */
export function compact(value: number): string {
  return COMPACT.format(value);
}

/** Formats a number with up to two decimals and all digits before them: `1,234,567`. */
export function exact(value: number): string {
  return EXACT.format(value);
}

/** Formats a duration in milliseconds: `0.4 ms`, `12 ms`, `1.5 s`. */
export function milliseconds(value: number): string {
  if (value >= 1_000) return `${significant(value / 1_000)} s`;
  return `${significant(value)} ms`;
}

/** Formats a part of a whole: `12.5%`. It is `0%` or `100%` only if that is exact. */
export function percent(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%';
  const value = (100 * part) / whole;
  if (value < 0.1) return '<0.1%';
  if (value > 99.9 && part < whole) return '>99.9%';
  return `${EXACT.format(value < 10 ? Number(value.toFixed(1)) : Math.round(value * 10) / 10)}%`;
}

/** Formats a frequency given per second: `12.4/s`, `3/min`. */
export function rate(perSecond: number): string {
  if (perSecond >= 1 || perSecond <= 0) return `${significant(perSecond)}/s`;
  return `${significant(perSecond * 60)}/min`;
}

const UNITS_MS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a span of time in its two largest units: `3 d 4 h`, `12 min 5 s`. */
export function duration(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1_000) * 1_000);
  const parts = UNITS_MS.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}

function significant(value: number): string {
  return EXACT.format(Number(value.toPrecision(3)));
}
