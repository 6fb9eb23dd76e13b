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

/** One median over another. */
export function ratio(one, other) {
  return (one.median / other.median).toFixed(2);
}

export function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}
