import { daysUntil, inDays } from './calendar';

describe('Days until an instant', () => {
  it.each([
    ['2026-06-30T12:00:00Z', '2026-06-30T23:59:59.999Z', 0, 'today'],
    ['2026-06-30T12:00:00Z', '2026-07-01T00:00:00Z', 1, 'tomorrow'],
    ['2026-06-30T12:00:00Z', '2026-07-03T11:59:00Z', 3, 'in 3 days'],
    ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', 1, 'tomorrow'],
    ['2026-06-30T00:00:00Z', '2026-07-30T23:00:00Z', 30, 'in 30 days'],
  ])('are counted by calendar dates: from %s to %s', (now, instant, days, words) => {
    expect(daysUntil(new Date(instant), new Date(now))).toBe(days);
    expect(inDays(days)).toBe(words);
  });

  it('are negative when the day is past', () => {
    expect(daysUntil(new Date('2026-06-29T23:00:00Z'), new Date('2026-06-30T01:00:00Z'))).toBe(-1);
  });
});
