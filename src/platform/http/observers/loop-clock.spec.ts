import { performance } from 'node:perf_hooks';
import { until } from '../../../../test/support/until';
import { LoopClock } from './loop-clock';

const BEGIN = 1_000_000;

describe('The clock of the event loop', () => {
  let slept: number;
  let clock: LoopClock;

  beforeEach(() => {
    slept = 0;
    clock = new LoopClock(() => slept);
    clock.endTurn(BEGIN);
  });

  it('gives the time of waking as the arrival of the requests that woke the loop', () => {
    slept = 500;
    expect(clock.arrival(BEGIN + 500, 0)).toBe(BEGIN + 500);
    expect(clock.arrival(BEGIN + 530, 0)).toBe(BEGIN + 500);
  });

  it('gives the beginning of a long turn as the arrival of a request that was read after it', () => {
    slept = 100;
    clock.endTurn(BEGIN + 900);
    expect(clock.arrival(BEGIN + 910, 0)).toBe(BEGIN + 100);
  });

  it('forgets a long turn once the loop has slept', () => {
    clock.endTurn(BEGIN + 800);
    slept = 50;
    expect(clock.arrival(BEGIN + 850, 0)).toBe(BEGIN + 850);
  });

  it('forgets a turn once another is over', () => {
    clock.endTurn(BEGIN + 800);
    clock.endTurn(BEGIN + 805);
    expect(clock.arrival(BEGIN + 807, 0)).toBe(BEGIN + 800);
  });

  it('never gives an arrival before the previous response of the connection', () => {
    clock.endTurn(BEGIN + 800);
    expect(clock.arrival(BEGIN + 810, BEGIN + 790)).toBe(BEGIN + 790);
  });

  it('ignores a wait of less than a millisecond', () => {
    clock.endTurn(BEGIN + 0.5);
    expect(clock.arrival(BEGIN + 0.9, 0)).toBe(BEGIN + 0.9);
  });

  it('times the turns of a real loop without keeping the process alive or awake', async () => {
    const real = new LoopClock();
    const turns = jest.spyOn(real, 'endTurn');
    real.onModuleInit();
    await until(() => turns.mock.calls.length > 2);
    const { idleTime } = performance.nodeTiming;
    await until(() => performance.nodeTiming.idleTime > idleTime);
    real.onApplicationShutdown();
    const { length } = turns.mock.calls;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(turns.mock.calls).toHaveLength(length);
  });
});
