/** Median of a non-empty list of numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value of a non-empty list that the share `part` of them does not exceed. */
export function quantile(values, part) {
  return Float64Array.from(values).sort()[Math.ceil(values.length * part) - 1];
}

/** Ratios of two summaries whose values of one index were measured together. */
export function pairedRatios(ours, theirs) {
  return summarize(ours.values.map((value, i) => value / theirs.values[i]));
}

/** Median with the lowest and highest value it stands for. */
export function summarize(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}
