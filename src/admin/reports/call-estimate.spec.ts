import { CallEstimate } from './call-estimate';

/** A Wednesday. */
const NOW = new Date('2026-07-01T12:00:00Z');

function during(calls: Record<string, number>, from: string, to: string): number {
  return new CallEstimate(new Map(Object.entries(calls)), NOW).during({
    from: new Date(from),
    to: new Date(to),
  });
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
});
