import { CallEstimate } from './call-estimate';
import { historyDays, type HistoryView, viewHistory } from './call-history';

/** A Wednesday. */
const NOW = new Date('2026-07-01T12:00:00Z');

/** Calls in a window of a key that first called long ago, unless told otherwise. */
function during(calls: Record<string, number>, from: string, to: string, first = '2026-01-01'): number {
  return new CallEstimate(new Map(Object.entries(calls)), historyDays(first, NOW), NOW).during({
    from: new Date(from),
    to: new Date(to),
  });
}

/** What is told of a window, from 10 to 11 on a day to come, about an operation that was first called on a day. */
function told(first: string | undefined, day: string): HistoryView {
  const window = { from: new Date(`${day}T10:00Z`), to: new Date(`${day}T11:00Z`) };
  return viewHistory('getPet', first, [window], NOW);
}

describe('The estimate of calls', () => {
  const mondays = { '2026-06-08': 100, '2026-06-15': 200, '2026-06-22': 300, '2026-06-29': 360 };

  it('takes a day to come for the average of the same weekday in the last four weeks', () => {
    expect(during(mondays, '2026-07-06T10:00Z', '2026-07-06T11:00Z')).toBeCloseTo(10);
    expect(during(mondays, '2026-07-07T10:00Z', '2026-07-07T11:00Z')).toBe(0);
  });

  it('takes a day past as it was, and neither today nor what is older than four weeks to judge by', () => {
    expect(during({ '2026-06-29': 240 }, '2026-06-29T10:00Z', '2026-06-29T11:00Z')).toBeCloseTo(10);
    expect(during({ '2026-07-01': 240, '2026-06-02': 240 }, '2026-07-08T00:00Z', '2026-07-09T00:00Z')).toBe(
      0,
    );
    expect(during({ '2026-06-24': 240 }, '2026-07-01T00:00Z', '2026-07-02T00:00Z')).toBeCloseTo(60);
  });

  it('adds up the parts of several days', () => {
    const calls = { '2026-06-27': 96, '2026-06-28': 240, '2026-06-29': 480 };
    expect(during(calls, '2026-06-27T18:00Z', '2026-06-29T01:00Z')).toBeCloseTo(24 + 240 + 20);
  });

  it('takes the average of the weekdays there are, of a key that first called less than four weeks ago', () => {
    const calls = { '2026-06-15': 200, '2026-06-22': 400 };
    expect(during(calls, '2026-07-06T10:00Z', '2026-07-06T11:00Z', '2026-06-15')).toBeCloseTo(200 / 24);
  });

  it('takes the average of all its days for a weekday that a key has no history of', () => {
    const calls = { '2026-06-28': 240, '2026-06-29': 480 };
    expect(during(calls, '2026-07-03T10:00Z', '2026-07-03T11:00Z', '2026-06-28')).toBeCloseTo(720 / 3 / 24);
  });

  it('takes today so far for a whole day where there is nothing else', () => {
    const calls = { '2026-07-01': 15_800 };
    expect(during(calls, '2026-07-06T10:00Z', '2026-07-06T11:00Z', '2026-07-01')).toBeCloseTo(15_800 / 24);
  });
});

describe('What an estimate of calls rests on', () => {
  it('is four weeks, and nothing is missing, when the operation has been called for as long', () => {
    expect(told('2026-06-03', '2026-07-06')).toEqual({
      ...{ days: 28, from: '2026-06-03', to: '2026-06-30', missingWeekdays: [], note: null },
    });
    expect(told('2025-01-01', '2026-07-06')).toMatchObject({ days: 28, from: '2026-06-03' });
  });

  it('names the days there are, and the weekdays of the windows there are none of', () => {
    expect(told('2026-06-28', '2026-07-06')).toMatchObject({ days: 3, missingWeekdays: [] });
    const history = told('2026-06-28', '2026-07-03');
    expect(history).toMatchObject({ days: 3, from: '2026-06-28', to: '2026-06-30' });
    expect(history.missingWeekdays).toEqual(['Friday']);
    expect(history.note).toBe(
      'getPet has a history of only 3 full days, from 2026-06-28 to 2026-06-30, and of no Friday: the average of the days there are is taken for it.',
    );
    expect(told('2026-06-30', '2026-07-07').note).toBe(
      'getPet has a history of only 1 full day, 2026-06-30: the estimate rests on it alone.',
    );
  });

  it('says that today is all there is, or that there is nothing', () => {
    expect(told('2026-07-01', '2026-07-06')).toEqual({
      ...{ days: 0, from: null, to: null, missingWeekdays: ['Monday'] },
      note: 'getPet was called today for the first time, so there is no full day to estimate from: today so far (2026-07-01) is taken for a whole day, and more calls are to be expected.',
    });
    expect(told(undefined, '2026-07-06')).toMatchObject({
      days: 0,
      note: 'No key has called getPet yet, so there is nothing to estimate from.',
    });
  });
});
