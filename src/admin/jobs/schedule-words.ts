/**
 * Describes in words when a job runs: `Every day at 03:30 (UTC)`. Returns a pattern that cannot be described unchanged.
 *
 * @param schedule a cron pattern and its time zone, as they are stored
 */
export function scheduleWords(schedule: string): string {
  // Loaded here: most processes describe none.
  const { toString: describe } = require('cronstrue') as typeof import('cronstrue');
  const end = schedule.lastIndexOf(' ');
  const [pattern, timeZone] = [schedule.slice(0, end), schedule.slice(end + 1)];
  try {
    const words = describe(pattern, { use24HourTimeFormat: true });
    // The library describes a daily time by the time alone.
    return `${words.replace(/^At (\d\d:\d\d)$/, 'Every day at $1')} (${timeZone})`;
  } catch {
    return schedule;
  }
}
