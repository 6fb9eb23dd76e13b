import { scheduleWords } from './schedule-words';

describe('A schedule in words', () => {
  it.each([
    ['30 3 * * * UTC', 'Every day at 03:30 (UTC)'],
    ['23 * * * * UTC', 'At 23 minutes past the hour (UTC)'],
    ['* * * * * UTC', 'Every minute (UTC)'],
    ['* * * * * * UTC', 'Every second (UTC)'],
    ['0 3 1 * * Europe/Berlin', 'At 03:00, on day 1 of the month (Europe/Berlin)'],
    ['*/15 9-17 * * 1-5 UTC', 'Every 15 minutes, between 09:00 and 17:59, Monday through Friday (UTC)'],
    ['@daily UTC', 'Every day at 00:00 (UTC)'],
  ])('says when %s runs', (schedule, words) => {
    expect(scheduleWords(schedule)).toBe(words);
  });

  it('stays a cron expression when it cannot be put into words', () => {
    expect(scheduleWords('whenever it suits UTC')).toBe('whenever it suits UTC');
  });
});
