import { timeIn } from './time';

const NOW = new Date('2026-11-22T19:26:48.123Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

describe('A time on a page', () => {
  beforeAll(() => jest.useFakeTimers({ now: NOW }));
  afterAll(() => jest.useRealTimers());

  const shown = (distance: number, zone = 'UTC') =>
    timeIn(zone)(new Date(NOW.getTime() + distance)).text.replaceAll(/<[^>]*>/g, '');

  it.each([
    [-5_000, 'just now'],
    [5_000, 'in a moment'],
    [-3 * MINUTE, '3 minutes ago'],
    [-119 * MINUTE, '1 hour ago'],
    [-6.9 * DAY, '6 days ago'],
    [2.5 * DAY, 'in 2 days'],
    [-8 * DAY, '14 Nov 2026, 19:26 UTC'],
    [30 * DAY, '22 Dec 2026, 19:26 UTC'],
  ])('is relative within a week and a date otherwise: %i ms from now is %s', (distance, text) => {
    expect(shown(distance)).toBe(text);
  });

  it("shows the exact time on hover, in the reader's time zone and in UTC", () => {
    expect(timeIn('UTC')(NOW).text).toContain(
      'datetime="2026-11-22T19:26:48.123Z" title="22 Nov 2026, 19:26:48 UTC"',
    );
    expect(timeIn('Asia/Kolkata')(NOW).text).toContain(
      'title="23 Nov 2026, 00:56:48 GMT+5:30 (22 Nov 2026, 19:26:48 UTC)"',
    );
    expect(shown(-8 * DAY, 'Europe/Berlin')).toBe('14 Nov 2026, 20:26 CET');
  });

  it('is a dash with an explanation when there is none', () => {
    expect(timeIn('UTC')(null, 'not known').text).toContain('not known');
  });
});
