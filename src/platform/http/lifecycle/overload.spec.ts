import { Overload, type OverloadLimits, type ShedReason } from './overload';

const LIMITS: OverloadLimits = { lateMs: 500, sustainedMs: 2_000, targetMs: 200, calmMs: 1_000, floor: 10 };

let nowMs: number;
let turnEnds: (() => void)[];
let overload: Overload;

beforeEach(() => {
  nowMs = 1_000;
  turnEnds = [];
  overload = new Overload(
    LIMITS,
    () => nowMs,
    (work) => turnEnds.push(work),
  );
});

/** One turn of the event loop, in which requests are served one by one. @returns what each caller was refused for */
function turn(callers: readonly string[], workMs: number): (ShedReason | undefined)[] {
  const verdicts = callers.map((caller) => {
    const reason = overload.judge(() => caller);
    if (!reason) {
      overload.begin();
      nowMs += workMs;
      overload.end();
    }
    return reason;
  });
  turnEnds.splice(0).forEach((end) => end());
  nowMs += 1;
  return verdicts;
}

const of = (caller: string, count: number) => Array.from({ length: count }, () => caller);
const accepted = (verdicts: readonly unknown[]) => verdicts.filter((reason) => reason === undefined).length;

describe('Load', () => {
  it('is never shed in turns that are short, however many there are', () => {
    for (let i = 0; i < 100; i++) expect(accepted(turn(of('a', 300), 1))).toBe(300);
  });

  it('is not shed in one turn that lags, whatever its length', () => {
    expect(accepted(turn(of('a', 300), 100))).toBe(300);
    expect(accepted(turn(of('a', 300), 1))).toBe(300);
  });

  it('is not shed of a few requests at a time, however long they take', () => {
    for (let i = 0; i < 20; i++) expect(accepted(turn(of('a', LIMITS.floor), 1_000))).toBe(LIMITS.floor);
  });

  it('is shed once turns have been late for two seconds, the newest first and as far as the target is exceeded', () => {
    for (let i = 0; i < 4; i++) turn(of('a', 1_000), 1);
    const verdicts = turn(of('a', 1_000), 1);
    expect(accepted(verdicts)).toBe(LIMITS.targetMs + 1);
    expect(verdicts.slice(0, LIMITS.targetMs)).toEqual(of('a', LIMITS.targetMs).map(() => undefined));
    expect(verdicts.at(-1)).toBe('event_loop');
  });

  it('is served whole again a second after the last refusal', () => {
    for (let i = 0; i < 5; i++) turn(of('a', 1_000), 1);
    expect(accepted(turn(of('a', 1_000), 1))).toBeLessThan(1_000);
    nowMs += LIMITS.calmMs;
    expect(accepted(turn(of('a', 400), 1))).toBe(400);
  });

  it('is shed of the caller that asks for more than its share, while others keep theirs', () => {
    const mixed = Array.from({ length: 1_000 }, (_, i) => (i % 20 === 0 ? 'modest' : 'greedy'));
    for (let i = 0; i < 10; i++) turn(mixed, 1);
    const verdicts = turn(mixed, 1);
    const refused = mixed.filter((_, i) => verdicts[i] !== undefined);
    expect(new Set(refused)).toEqual(new Set(['greedy']));
    expect(refused.length).toBeGreaterThan(500);
  });

  it('is shed by the requests under way when these take long and the event loop is idle', () => {
    const verdicts: (ShedReason | undefined)[] = [];
    for (let i = 0; i < 1_500; i++) {
      for (let n = 0; n < 30; n++) {
        const reason = overload.judge(() => 'a');
        verdicts.push(reason);
        if (!reason) overload.begin();
      }
      // Ten of thirty are finished in the meantime.
      if (i > 0) for (let n = 0; n < 10; n++) overload.end();
      turnEnds.splice(0).forEach((end) => end());
      nowMs += 10;
    }
    expect(verdicts.slice(0, 1_000)).not.toContain('requests');
    const last = verdicts.slice(-3_000);
    expect(accepted(last) / last.length).toBeCloseTo(1 / 3, 1);
    expect(new Set(last)).toEqual(new Set([undefined, 'requests']));
  });
});
