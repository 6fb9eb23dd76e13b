import { compact, exact, milliseconds, percent } from '../ui/number-text';
import { niceTicks, share, timeTicks } from './scale';

describe('The ticks of an axis', () => {
  it.each([
    [10, [0, 5, 10]],
    [7, [0, 2, 4, 6, 8]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [1_000_000, [0, 500_000, 1_000_000]],
    [3, [0, 1, 2, 3]],
    [1e300, [0, 5e299, 1e300]],
  ])('are round numbers up to at least %d', (max, values) => {
    expect(niceTicks(max, 4, false)).toEqual({ end: values.at(-1), values });
  });

  it('are whole numbers for counts', () => {
    expect(niceTicks(1, 4, true).values).toEqual([0, 1]);
    expect(niceTicks(2, 4, true).values).toEqual([0, 1, 2]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('are from 0 to 1 for %d', (max) => {
    expect(niceTicks(max, 4, true)).toEqual({ end: 1, values: [0, 1] });
  });
});

describe('The times of an axis', () => {
  const labels = (from: string, to: string) =>
    timeTicks(new Date(from), new Date(to), 6).map(({ label }) => label);

  it('are round hours in UTC, with the date where a day begins', () => {
    expect(labels('2026-11-20T18:10:00Z', '2026-11-21T18:10:00Z')).toEqual(
      ['00:00', '06:00', '12:00', '18:00'].map((label) => (label === '00:00' ? '21 Nov' : label)),
    );
  });

  it('are minutes for a short range and days for a long one', () => {
    expect(labels('2026-11-21T10:01:00Z', '2026-11-21T10:06:00Z')).toEqual([
      '10:01',
      '10:02',
      '10:03',
      '10:04',
      '10:05',
    ]);
    expect(labels('2026-10-23T00:00:00Z', '2026-11-22T00:00:00Z')).toEqual([
      '29 Oct',
      '5 Nov',
      '12 Nov',
      '19 Nov',
    ]);
  });

  it('are at most as many as asked for over centuries, and none for an empty range', () => {
    expect(timeTicks(new Date(0), new Date('2200-01-01'), 6).length).toBeLessThanOrEqual(6);
    expect(labels('2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z')).toEqual([]);
    expect(timeTicks(new Date(Number.NaN), new Date(), 6)).toEqual([]);
  });
});

describe('The share of a value on an axis', () => {
  it('stays between 0 and 1', () => {
    expect([-1, 0, 5, 10, 11].map((value) => share(value, 0, 10))).toEqual([0, 0, 0.5, 1, 1]);
    expect(share(5, 0, 0)).toBe(0);
  });
});

describe('Numbers on a chart', () => {
  it('are abbreviated and rounded for people', () => {
    expect([0, 999, 1_234, 1_000_000].map(compact)).toEqual(['0', '999', '1.23K', '1M']);
    expect(exact(1_234_567.891)).toBe('1,234,567.89');
    expect([0.4321, 12.34, 1_500, 0].map(milliseconds)).toEqual(['0.43 ms', '12.3 ms', '1.5 s', '0 ms']);
  });

  it('never round a share to 0% or 100% unless it is exactly that', () => {
    expect([percent(0, 10), percent(10, 10), percent(1, 8), percent(1, 3)]).toEqual([
      '0%',
      '100%',
      '12.5%',
      '33.3%',
    ]);
    expect([percent(1, 1e6), percent(1e6 - 1, 1e6), percent(0, 0)]).toEqual(['<0.1%', '>99.9%', '0%']);
  });
});
