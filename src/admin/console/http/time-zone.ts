/** Name of the cookie that stores the zone in which pages show times. */
export const TIME_ZONE_COOKIE = 'petstore_admin_time_zone';

/** All zones to choose from. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

const known = new Set(TIME_ZONES);

/** Reads the zone from a cookie or a form; UTC for an unknown zone. */
export function readTimeZone(text: string | null | undefined): string {
  if (!text || known.has(text)) return text || 'UTC';
  const zone = canonicalName(text);
  return zone !== undefined && known.has(zone) ? zone : 'UTC';
}

/** Returns the name under which this runtime lists a zone: some list Asia/Kolkata as Asia/Calcutta. */
function canonicalName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
