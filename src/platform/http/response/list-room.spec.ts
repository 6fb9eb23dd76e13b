import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { fakeOnly } from '../../../../test/support/fake-only';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { until } from '../../../../test/support/until';
import { OverloadedError, RateLimitedError } from '../../errors/http-errors';
import { Metrics } from '../../telemetry/metrics';
import { UNREAD_LIMITS, UnreadResponses } from '../connections/unread-responses';
import { Exchange } from '../exchange/exchange';
import { ListRoom } from './list-room';

/** More than may wait of a client whose lists are known to be large. */
const AT_ONCE = 40;

describe('The room for lists', () => {
  let service: TestService;
  let other: DataSource;
  beforeAll(async () => {
    service = await startTestService('postgres');
    other = await new DataSource({ type: 'postgres', url: service.database.url }).initialize();
  });
  afterAll(async () => {
    await other.destroy();
    await service.stop();
  });

  it('admits all small lists of a new client while the first of them is read', async () => {
    const runner = other.createQueryRunner();
    await runner.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
    const enter = jest.spyOn(service.app.get(ListRoom), 'enter');
    // On a slow machine some would wait for longer than they may.
    fakeOnly(['setTimeout', 'clearTimeout']);
    const lists = Array.from({ length: AT_ONCE }, () => service.fetch('/v1/pets?limit=1'));
    await until(() => enter.mock.calls.length === AT_ONCE);
    await runner.query('COMMIT');
    await runner.release();
    jest.useRealTimers();
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    expect(statuses).toEqual(Array(AT_ONCE).fill(200));
  });
});

describe('The expected size of a list', () => {
  let room: ListRoom;
  beforeEach(() => {
    room = new ListRoom(new UnreadResponses(new Metrics(), UNREAD_LIMITS));
  });

  function askFor(limit: number): Exchange {
    const request = new IncomingMessage(new Socket());
    const exchange = new Exchange('public', request as Request, new ServerResponse(request) as Response);
    exchange.parameters = { limit: String(limit) };
    return exchange;
  }

  function make(lists: number, rows: number, bytesPerRow: number): void {
    for (let i = 0; i < lists; i++) {
      const exchange = askFor(rows);
      void room.enter(exchange);
      room.made(exchange, rows, rows * bytesPerRow);
      exchange.response.emit('close');
    }
  }

  /** Returns the number of lists of so many rows that begin at once. */
  function begun(lists: number, limit: number): number {
    const waits = Array.from({ length: lists }, () => room.enter(askFor(limit))).filter(Boolean);
    for (const wait of waits) wait?.catch(() => undefined);
    return lists - waits.length;
  }

  it('follows the size of its rows, however few rows the last lists had', () => {
    make(1_000, 1, 1_000);
    make(1, 1, 100_000);
    make(40, 1, 1_000);
    expect(begun(8, 100)).toBe(1);
  });

  it('shrinks soon when many small rows follow', () => {
    make(1, 1, 100_000);
    make(50, 100, 100);
    expect(begun(30, 100)).toBe(30);
  });

  it('decides whether a list that finds no room in time is refused for its client', async () => {
    make(1, 100, 100);
    expect(begun(32, 100)).toBe(32);
    jest.useFakeTimers();
    const small = room.enter(askFor(100));
    const large = room.enter(askFor(100_000));
    const refused = Promise.allSettled([small, large]);
    jest.advanceTimersByTime(2_000);
    jest.useRealTimers();
    expect(await refused).toMatchObject([
      { reason: expect.any(OverloadedError) as Error },
      { reason: expect.any(RateLimitedError) as Error },
    ]);
  });

  it('decides alone whether a list begins at once when the client has no other list any more', async () => {
    make(1, 1, 100_000);
    const [first, second] = [askFor(100), askFor(100)];
    expect(room.enter(first)).toBeUndefined();
    const begins = room.enter(second);
    expect(begins).toBeInstanceOf(Promise);
    for (const exchange of [first, second]) {
      room.made(exchange, 100, 10_000);
      exchange.response.emit('close');
      await begins;
    }
    expect(begun(1, 100)).toBe(1);
  });

  it('is given back once by a list whose connection was closed before it was written', async () => {
    for (let i = 0; i < 20; i++) {
      const exchange = askFor(100);
      void room.enter(exchange);
      exchange.response.emit('close');
      room.made(exchange, 100, 8_000_000);
      // Large lists begin a turn apart.
      await turn();
    }
    expect(begun(1, 100)).toBe(1);
  });

  it('is that of a default page without a limit', () => {
    make(1, 1, 10_000);
    expect(begun(30, Number.NaN)).toBe(30);
  });
});
