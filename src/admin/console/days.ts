const DAY_MS = 86_400_000;

/** The beginning of a day of the calendar in UTC, as a field of the type `date` gives it. @returns undefined for what is no day */
export function startOfDay(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const start = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text) ? start : undefined;
}

/** The end of a day, which is the beginning of the next. @returns undefined for what is no day */
export function endOfDay(text: string): Date | undefined {
  const start = startOfDay(text);
  return start && new Date(start.getTime() + DAY_MS);
}

/** The day of the calendar it is, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
