import { type BrownoutSchedule, planWindows } from './brownout-plan';

const SUNSET = new Date('2030-12-05T00:00:00Z');
const NOW = new Date('2030-01-01T00:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

const SCHEDULE: BrownoutSchedule = {
  first: '2030-09-02',
  last: '2030-09-30',
  at: '10:00',
  everyMs: 7 * DAY,
  lengthsMs: [5 * MINUTE, 15 * MINUTE, 60 * MINUTE],
};

function plan(parts: Partial<BrownoutSchedule>): string[] {
  return planWindows({ ...SCHEDULE, ...parts }, SUNSET, NOW).map(
    ({ from, to }) =>
      `${from.toISOString().slice(0, 16)} ${String((to.getTime() - from.getTime()) / MINUTE)}`,
  );
}

describe('The plan of a brownout', () => {
  it('has windows of growing length at one time of day, up to and including the last day', () => {
    expect(plan({})).toEqual([
      '2030-09-02T10:00 5',
      '2030-09-09T10:00 5',
      '2030-09-16T10:00 15',
      '2030-09-23T10:00 15',
      '2030-09-30T10:00 60',
    ]);
  });

  it('ends before the sunset, whatever the last day is', () => {
    for (const last of [undefined, '2031-12-31']) {
      const windows = plan({ first: '2030-11-26', last, everyMs: 3 * DAY });
      expect(windows.at(-1)).toBe('2030-12-02T10:00 60');
    }
    expect(plan({ first: '2030-12-04', last: undefined, at: '23:30', lengthsMs: [60 * MINUTE] })).toEqual([
      '2030-12-04T23:30 30',
    ]);
  });

  it.each<[string, Partial<BrownoutSchedule>, string]>([
    ['begins in the past', { first: '2029-12-31' }, 'first'],
    ['begins after the sunset', { first: '2030-12-05' }, 'first'],
    ['ends before it begins', { last: '2030-09-01' }, 'first'],
    ['has no length', { lengthsMs: [] }, 'lengths'],
    ['has falling lengths', { lengthsMs: [15 * MINUTE, 5 * MINUTE] }, 'lengths'],
    ['has windows that touch', { everyMs: 60 * MINUTE, last: '2030-09-03' }, 'every'],
    ['has more windows than an operator can announce', { everyMs: 6 * MINUTE, lengthsMs: [MINUTE] }, 'every'],
  ])('is refused when it %s', (_why, parts, field) => {
    expect(() => plan(parts)).toThrow(
      expect.objectContaining({
        code: 'invalid_plan',
        faults: [expect.objectContaining({ field })],
      }) as Error,
    );
  });
});
