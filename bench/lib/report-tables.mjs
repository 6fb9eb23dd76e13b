import { pairedRatios } from './statistics.mjs';

/** A Markdown table. */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Median with the lowest and highest value. */
export function spread({ median, min, max }, decimals = 0) {
  const write = (value) =>
    value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return `${write(median)} (${write(min)} to ${write(max)})`;
}

/** The median of the ratios of paired rounds, with the lowest and the highest. */
export function ratio(one, other) {
  return spread(pairedRatios(one, other), 2);
}

export function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}
