import { attemptsWithin, pauseAfter } from './retries';

/** The shortest time that some attempts and the pauses between them take, in hours. */
function hoursOf(attempts: number): number {
  let pauses = 0;
  for (let attempt = 1; attempt < attempts; attempt++) pauses += pauseAfter(attempt);
  return pauses / 3_600_000;
}

describe('The attempts at work that fails', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it.each([0.01, 0.75, 1, 24, 72])('go on for %s hours, and end with the first pause after', (hours) => {
    const attempts = attemptsWithin(hours);
    expect(hoursOf(attempts)).toBeGreaterThanOrEqual(hours);
    expect(hoursOf(attempts - 1)).toBeLessThan(hours);
  });

  it('go on for a day unless something else is said', () => {
    expect(attemptsWithin()).toBe(attemptsWithin(24));
  });

  it('are one where none is to be repeated', () => {
    expect(attemptsWithin(0)).toBe(1);
  });

  it.each([-1, 8_761, NaN, Infinity])('are refused for %s hours', (hours) => {
    expect(() => attemptsWithin(hours)).toThrow('retryHours');
  });
});
