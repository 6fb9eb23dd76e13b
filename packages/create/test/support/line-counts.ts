/** How often each line is in a text, whatever its indentation and its line ends are. Empty lines do not count. */
export function lineCounts(text: string | undefined): Map<string, number> {
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const groups = [...Map.groupBy(lines, (line) => line)].filter(([line]) => line !== '');
  return new Map(groups.map(([line, all]) => [line, all.length]));
}

/** How much more often lines are in a text than in another. */
export function additions(text: string | undefined, other: string | undefined): Map<string, number> {
  const others = lineCounts(other);
  const more = [...lineCounts(text)].map(([line, count]) => [line, count - (others.get(line) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}
