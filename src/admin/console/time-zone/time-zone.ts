/** Name of the cookie that keeps the zone pages show times in. */
export const TIME_ZONE_COOKIE = 'petstore_admin_time_zone';

/** Every zone to choose from. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const known = new Set(TIME_ZONES);

/** What a cookie or a form says; UTC when it says no zone that is known. */
export function readTimeZone(text: string | null | undefined): string {
  if (!text || known.has(text)) return text || 'UTC';
  const zone = canonicalName(text);
  return zone !== undefined && known.has(zone) ? zone : 'UTC';
}

/** The name that this runtime lists a zone under: Asia/Kolkata is Asia/Calcutta to some. */
function canonicalName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
