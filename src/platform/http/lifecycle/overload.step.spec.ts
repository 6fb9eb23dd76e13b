import { EventEmitter } from 'node:events';
import type { Exchange } from '../exchange/exchange';
import { OverloadStep } from './overload.step';

const LONGEST_MS = 400;

interface Caller {
  readonly ip: string;
  readonly authorization?: string;
  readonly url?: string;
  readonly listener?: 'management';
}

/** A step whose pool has served 100 connections in the last 400 ms, and queues as many as the test says. */
function stepUnder(engine: 'postgres' | 'sqlite' = 'postgres') {
  const pool = Object.assign(new EventEmitter(), { waitingCount: 0, options: { max: 1 } });
  const shed = jest.fn<void, []>();
  const step = new OverloadStep(
    { databaseStatementTimeoutMs: (5 * LONGEST_MS * 5) / 2 } as never,
    { engine, dataSource: { driver: { master: pool } } } as never,
    { requestsShed: { add: shed } } as never,
  );
  step.onModuleInit();
  const ask = ({ ip, authorization, url = '/v1/pets', listener }: Caller) => {
    const response = Object.assign(new EventEmitter(), {
      writableEnded: false,
      headersSent: false,
      shouldKeepAlive: true,
      status: 200,
      writeHead(status: number) {
        response.status = status;
      },
      end: () => undefined,
    });
    const request = { url, ip, headers: { authorization }, socket: {} };
    step.run({ listener: listener ?? 'public', request, response } as unknown as Exchange);
    return response;
  };
  const wait = (waitingCount: number) => void (pool.waitingCount = waitingCount);
  wait(50);
  ask({ ip: '192.0.2.9' }).emit('close');
  for (let i = 0; i < 100; i++) pool.emit('acquire');
  jest.advanceTimersByTime(LONGEST_MS);
  const askOften = (times: number, caller: Caller) =>
    Array.from({ length: times }, () => ask(caller)).filter(({ status }) => status === 200);
  return { ask, askOften, wait, shed };
}

describe('The step that refuses requests under overload', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const greedy = { ip: '192.0.2.1', authorization: 'Bearer a' };
  const modest = { ip: '192.0.2.2', authorization: 'Bearer a' };
  const other = { ip: '192.0.2.1', authorization: 'Bearer b' };

  it('refuses nobody while the wait is short', () => {
    const { ask, wait, shed } = stepUnder();
    wait(100);
    expect(ask(greedy).status).toBe(200);
    expect(shed).not.toHaveBeenCalled();
  });

  it('refuses everybody when the wait is much too long', () => {
    const { ask, wait, shed } = stepUnder();
    wait(126);
    expect(ask(greedy).status).toBe(503);
    expect(ask(modest).status).toBe(503);
    expect(shed).toHaveBeenCalledTimes(2);
  });

  it('first refuses the address with more than its share, whatever key it uses', () => {
    const { ask, askOften, wait } = stepUnder();
    expect(askOften(9, greedy)).toHaveLength(9);
    expect(askOften(1, modest)).toHaveLength(1);
    wait(110);
    expect(ask(greedy).status).toBe(503);
    expect(ask(modest).status).toBe(200);
  });

  it('first refuses the key with more than its share, wherever it comes from', () => {
    const { ask, askOften, wait } = stepUnder();
    askOften(9, greedy);
    askOften(1, other);
    wait(110);
    expect(ask({ ...greedy, ip: '192.0.2.3' }).status).toBe(503);
    expect(ask({ ...other, ip: '192.0.2.4' }).status).toBe(200);
  });

  it('forgets requests that have ended', () => {
    const { ask, askOften, wait } = stepUnder();
    for (const response of askOften(9, greedy)) response.emit('close');
    askOften(1, modest);
    wait(110);
    expect(ask(greedy).status).toBe(200);
  });

  it('counts requests whose key is still being looked up', () => {
    const { ask, askOften, wait } = stepUnder();
    wait(0);
    expect(askOften(2_000, greedy)).toHaveLength(1_001);
    expect(ask(modest).status).toBe(503);
  });

  it('refuses neither health nor the management port', () => {
    const { ask, wait } = stepUnder();
    wait(1_000);
    expect(ask({ ...greedy, url: '/health/live' }).status).toBe(200);
    expect(ask({ ...greedy, listener: 'management' }).status).toBe(200);
    expect(ask(greedy).status).toBe(503);
  });

  it('refuses nothing on SQLite', () => {
    const { ask, wait } = stepUnder('sqlite');
    wait(1_000);
    expect(ask(greedy).status).toBe(200);
  });
});
