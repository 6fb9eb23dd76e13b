import type { Operation } from '../operations/operation';

/** The end of a deprecated operation in plain sentences; empty for any other. */
export function deprecationNotice({ deprecation }: Operation): string {
  if (!deprecation) return '';
  const { since, sunset, successor, replacement = `\`GET ${successor}\`` } = deprecation;
  return `Deprecated since ${longDate(since)}. It is to be removed on ${longDate(sunset)}. Use ${replacement} instead.`;
}

function longDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
