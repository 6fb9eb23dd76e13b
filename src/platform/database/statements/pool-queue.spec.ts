import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { PoolQueue } from './pool-queue';

const LONGEST_MS = 500;

/** A pool of two connections, whose queue is as long as the test says. */
function poolOf2() {
  const pool = Object.assign(new EventEmitter(), { waitingCount: 0, options: { max: 2 } });
  const queue = new PoolQueue(pool as unknown as Pool, LONGEST_MS);
  const serve = (times: number) => {
    for (let i = 0; i < times; i++) pool.emit('acquire');
  };
  const pressure = (at: number, waitingCount: number, underWay = 0) => {
    pool.waitingCount = waitingCount;
    return queue.pressure(at, underWay);
  };
  return { pressure, serve };
}

describe('The queue of a connection pool', () => {
  it('reports no pressure while few requests wait, however long', () => {
    const { pressure } = poolOf2();
    expect(pressure(0, 0)).toBeUndefined();
    expect(pressure(1_000, 8)).toBeUndefined();
    expect(pressure(9_000, 8)).toBeUndefined();
  });

  it('reports no pressure right after many requests arrive at once', () => {
    const { pressure } = poolOf2();
    expect(pressure(10_000, 1_000)).toBe(0);
    expect(pressure(10_499, 1_000)).toBe(0);
  });

  it('reports the waiting requests divided by those served lately', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(100);
    expect(pressure(500, 100)).toBe(1);
    expect(pressure(500, 125)).toBe(1.25);
    expect(pressure(500, 50)).toBe(0.5);
  });

  it('counts only what was served lately', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(1_000);
    pressure(500, 9);
    serve(10);
    pressure(1_000, 9);
    expect(pressure(1_000, 10)).toBe(1);
  });

  it('counts a pool that serves no request as serving one', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(500, 9)).toBe(9);
  });

  it('keeps its counts when few requests wait for a moment, and resets them after longer', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(400, 0)).toBe(0);
    expect(pressure(500, 9)).toBe(9);
    expect(pressure(1_001, 0)).toBeUndefined();
    expect(pressure(1_002, 9)).toBe(0);
    expect(pressure(1_502, 9)).toBe(9);
  });

  it('reports pressure even when it is seldom asked', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(2_000, 9)).toBeGreaterThan(9);
  });

  it('counts requests that have not reached the pool yet, eight to a connection', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(10);
    expect(pressure(500, 10, 80)).toBe(1);
    expect(pressure(500, 0, 160)).toBe(2);
  });
});
