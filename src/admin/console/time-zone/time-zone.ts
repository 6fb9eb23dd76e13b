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
  return text && known.has(text) ? text : 'UTC';
}
