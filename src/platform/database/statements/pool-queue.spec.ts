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

describe('the queue of a pool', () => {
  it('tells no pressure while few wait, however long', () => {
    const { pressure } = poolOf2();
    expect(pressure(0, 0)).toBeUndefined();
    expect(pressure(1_000, 8)).toBeUndefined();
    expect(pressure(9_000, 8)).toBeUndefined();
  });

  it('tells none of many that have come at once', () => {
    const { pressure } = poolOf2();
    expect(pressure(10_000, 1_000)).toBe(0);
    expect(pressure(10_499, 1_000)).toBe(0);
  });

  it('divides those that wait by those served', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(100);
    expect(pressure(500, 100)).toBe(1);
    expect(pressure(500, 125)).toBe(1.25);
    expect(pressure(500, 50)).toBe(0.5);
  });

  it('counts the last of the service only', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(1_000);
    pressure(500, 9);
    serve(10);
    pressure(1_000, 9);
    expect(pressure(1_000, 10)).toBe(1);
  });

  it('takes a pool that serves nobody for one that serves one', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(500, 9)).toBe(9);
  });

  it('goes on counting when few wait for a moment, and begins anew after longer', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(400, 0)).toBe(0);
    expect(pressure(500, 9)).toBe(9);
    expect(pressure(1_001, 0)).toBeUndefined();
    expect(pressure(1_002, 9)).toBe(0);
    expect(pressure(1_502, 9)).toBe(9);
  });

  it('knows the pressure of a pool that it is seldom asked about', () => {
    const { pressure } = poolOf2();
    pressure(0, 9);
    expect(pressure(2_000, 9)).toBeGreaterThan(9);
  });

  it('counts those on their way to it, eight to a connection', () => {
    const { pressure, serve } = poolOf2();
    pressure(0, 9);
    serve(10);
    expect(pressure(500, 10, 80)).toBe(1);
    expect(pressure(500, 0, 160)).toBe(2);
  });
});
