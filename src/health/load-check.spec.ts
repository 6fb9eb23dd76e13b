import { fakeOnly } from '../../test/support/fake-only';
import type { Database } from '../platform/database/database';
import { Metrics } from '../platform/telemetry/metrics';
import { LoadCheck } from './load-check';

describe('The load of a process', () => {
  const pool = { waiting: 0 };
  let load: LoadCheck;
  /** Delay of the event loop behind its timers, in milliseconds. */
  let late: number;

  beforeEach(() => {
    fakeOnly(['setInterval', 'clearInterval', 'performance']);
    late = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + late);
    pool.waiting = 0;
    load = new LoadCheck({ pool } as unknown as Database, new Metrics());
    load.onModuleInit();
  });
  afterEach(() => {
    load.onApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Lets so many samples be taken, each of them late by some milliseconds. */
  function sample(times: number, lateMs = 0): void {
    for (let count = 0; count < times; count++) {
      late += lateMs;
      jest.advanceTimersByTime(500);
    }
  }

  it('is in time while samples are, and while two of the last ten are late', () => {
    sample(10, 100);
    expect(load.check()).toBeUndefined();
    sample(2, 600);
    sample(8);
    expect(load.check()).toBeUndefined();
  });

  it('is saturated while three of the last ten samples are late, with the longest delay', () => {
    sample(1, 700);
    sample(2, 600);
    sample(1);
    expect(load.check()).toEqual({
      status: 'saturated',
      reason: 'The event loop is repeatedly late.',
      details: { lagMs: 700 },
    });
    sample(6);
    expect(load.check()).toMatchObject({ status: 'saturated' });
    sample(1);
    expect(load.check()).toBeUndefined();
  });

  it('is saturated while requests have waited for connections in each of four samples', () => {
    pool.waiting = 3;
    sample(3);
    expect(load.check()).toBeUndefined();
    sample(1);
    expect(load.check()).toEqual({
      status: 'saturated',
      reason: 'Requests wait for connections of the pool.',
      details: { waiting: 3 },
    });
    pool.waiting = 0;
    sample(1);
    expect(load.check()).toBeUndefined();
  });
});
