import type { WaitNotice } from '../src/options.ts';
import { type Operation, Requests } from '../src/requests.ts';
import { type Reply, refusal, ScriptedFetch } from './support/scripted-fetch.ts';

const READ: Operation = { name: 'getPet', method: 'GET', path: '/pets/1' };
const ADD: Operation = {
  name: 'createPet',
  method: 'POST',
  path: '/pets',
  body: { name: 'Rex' },
  isIdempotent: true,
};
const CHANGE: Operation = { name: 'updatePet', method: 'PATCH', path: '/pets/1', body: {} };
const DELETE: Operation = { name: 'deletePet', method: 'DELETE', path: '/pets/1' };

const BUSY = () => refusal(429, 'rate_limited', { 'retry-after': '0' });
const AWAY = () => refusal(503, 'service_unavailable');
const CUT = () => 'breaks' as const;

/** Calls an operation with these replies before one that succeeds. @returns the outcome and the requests sent */
async function attempt(
  operation: Operation,
  replies: Reply[],
  options: { budget?: number; attemptTimeout?: number } = {},
) {
  const { fetch, sent } = new ScriptedFetch([...replies, new Response('{}')]);
  const requests = new Requests(
    { baseUrl: 'http://petstore.test', apiKey: 'key', fetch, ...options },
    '/v1',
    {},
  );
  const outcome = requests.call(operation).then(
    () => 'done',
    (error: unknown) => error,
  );
  const state = { isOver: false };
  void outcome.then(() => (state.isOver = true));
  while (!state.isOver) await jest.advanceTimersByTimeAsync(STEP_MS);
  return { result: await outcome, sent };
}

/** The clock is the test's, so nothing waits, and no machine is too slow. */
const STEP_MS = 10;
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => jest.useRealTimers());

describe('A call that fails', () => {
  it.each<[string, string, Operation, () => Reply]>([
    ['reading', 'too many requests', READ, BUSY],
    ['reading', 'a service that is away', READ, AWAY],
    ['reading', 'a proxy without its service', READ, () => new Response('<html>', { status: 502 })],
    ['reading', 'a broken connection', READ, CUT],
    ['adding', 'too many requests', ADD, BUSY],
    ['adding', 'a service that is away', ADD, AWAY],
    ['adding', 'a broken connection', ADD, CUT],
    ['adding', 'its own first attempt, still under way', ADD, () => refusal(409, 'idempotency_in_progress')],
    ['adding', 'a request that took too long to arrive', ADD, () => refusal(408, 'request_timeout')],
    ['changing', 'too many requests', CHANGE, BUSY],
    ['deleting', 'too many requests', DELETE, BUSY],
  ])('is retried: %s after %s', async (_what, _why, operation, reply) => {
    const { result, sent } = await attempt(operation, [reply(), reply()]);
    expect([result, sent.length]).toEqual(['done', 3]);
  });

  it.each<[string, string, Operation, Reply, string]>([
    ['reading', 'what is not there', READ, refusal(404, 'pet_not_found'), 'pet_not_found'],
    ['reading', 'a fault of the service', READ, refusal(500, 'internal_error'), 'internal_error'],
    [
      'reading',
      'a brownout',
      READ,
      refusal(410, 'operation_brownout', { 'retry-after': '1' }),
      'operation_brownout',
    ],
    [
      'adding',
      'another body under its key',
      ADD,
      refusal(422, 'idempotency_key_reused'),
      'idempotency_key_reused',
    ],
    ['changing', 'a service that is away', CHANGE, AWAY(), 'service_unavailable'],
    ['changing', 'a broken connection', CHANGE, 'breaks', 'network_error'],
    ['deleting', 'a broken connection', DELETE, 'breaks', 'network_error'],
  ])('is not retried: %s after %s', async (_what, _why, operation, reply, code) => {
    const { result, sent } = await attempt(operation, [reply]);
    expect(result).toMatchObject({ name: 'PetstoreError', code });
    expect(sent).toHaveLength(1);
  });

  it('sends one Idempotency-Key with all its attempts, and the next call another', async () => {
    const keysOf = async () => {
      const { sent } = await attempt(ADD, ['breaks', AWAY(), 'breaks']);
      return sent.map(({ headers }) => headers.get('idempotency-key'));
    };
    const [first, second] = [await keysOf(), await keysOf()];
    expect(first).toHaveLength(4);
    expect(new Set(first).size).toBe(1);
    expect(first[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(second[0]).not.toBe(first[0]);
  });

  it('waits as long as Retry-After says', async () => {
    const { sent } = await attempt(READ, [refusal(503, 'service_unavailable', { 'retry-after': '1' })]);
    const [first, second] = sent.map(({ at }) => at);
    expect((second as number) - (first as number)).toBeGreaterThanOrEqual(1_000);
  });

  it('waits until the time that Retry-After says', async () => {
    const until = Math.floor(Date.now() / 1_000) * 1_000 + 2_000;
    const away = refusal(503, 'service_unavailable', { 'retry-after': new Date(until).toUTCString() });
    const { sent } = await attempt(READ, [away]);
    const started = sent[0]?.at as number;
    expect((sent[1]?.at as number) - started).toBeGreaterThanOrEqual(1_000);
  });

  it.each(['soon', '-5', '', '1.5 s'])('reads no Retry-After of "%s"', async (value) => {
    const { result } = await attempt(READ, [refusal(400, 'invalid_field', { 'retry-after': value })]);
    expect(result).toMatchObject({ status: 400, retryAfter: undefined });
  });

  it('waits for longer than a timer holds, for an attempt or between two', async () => {
    const monthly = () => refusal(429, 'rate_limited', { 'retry-after': `${30 * 86_400}` });
    const { fetch, sent } = new ScriptedFetch([monthly(), monthly(), 'hangs']);
    const requests = new Requests(
      { baseUrl: 'http://petstore.test', apiKey: 'key', fetch, budget: Infinity, attemptTimeout: Infinity },
      '/v1',
      {},
    );
    const enough = new AbortController();
    const outcome = requests
      .call({ ...READ, options: { signal: enough.signal } })
      .catch((error: unknown) => error);
    const sentAfterDays: number[] = [];
    for (let day = 0; day < 90; day++) {
      await jest.advanceTimersByTimeAsync(86_400_000);
      sentAfterDays.push(sent.length);
    }
    expect([0, 28, 30, 58, 61, 89].map((day) => sentAfterDays[day])).toEqual([1, 1, 2, 2, 3, 3]);
    enough.abort('enough');
    expect(await outcome).toBe('enough');
  });

  it('ends at once with the error when the wait would exceed the budget', async () => {
    const { result, sent } = await attempt(READ, [refusal(429, 'rate_limited', { 'retry-after': '60' })]);
    expect(result).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 60 });
    expect(sent).toHaveLength(1);
  });

  it('ends when its budget is used up, whatever it waits for', async () => {
    const begin = performance.now();
    const { result } = await attempt(READ, Array.from({ length: 100 }, CUT), { budget: 300 });
    expect(result).toMatchObject({ code: 'network_error' });
    const { result: hanging } = await attempt(READ, ['hangs'], { budget: 300 });
    expect(hanging).toMatchObject({ code: 'timeout' });
    expect(performance.now() - begin).toBeLessThanOrEqual(2 * (300 + STEP_MS));
  });

  it('is retried when an attempt takes too long', async () => {
    const { result, sent } = await attempt(READ, ['hangs'], { attemptTimeout: 50 });
    expect([result, sent.length]).toEqual(['done', 2]);
  });
});

describe('A walk through a list', () => {
  const LIST: Operation = { name: 'listPets', method: 'GET', path: '/pets' };
  const page = (items: number[], next = '') =>
    new Response(JSON.stringify(items), { headers: next === '' ? {} : { link: `<${next}>; rel="next"` } });
  const limited = () => refusal(429, 'rate_limited', { 'retry-after': '60' });

  /** Walks through these replies. @returns the items or the error, and the notices of pauses */
  async function walk(replies: Reply[], options: { budget?: number } = {}) {
    const { fetch } = new ScriptedFetch(replies);
    const notices: WaitNotice[] = [];
    const onWait = (notice: WaitNotice) => void notices.push(notice);
    const client = { baseUrl: 'http://petstore.test', apiKey: 'key', fetch, onWait, ...options };
    const list = new Requests(client, '/v1', {}).list<number>(LIST);
    const items: number[] = [];
    const walking = async () => {
      for await (const item of list) items.push(item);
      return items;
    };
    const outcome = walking().catch((error: unknown) => error);
    const state = { isOver: false };
    void outcome.then(() => (state.isOver = true));
    while (!state.isOver) await jest.advanceTimersByTimeAsync(1_000);
    return { result: await outcome, notices };
  }

  it('waits for the rate limit as long as the service says, as often as it says, and reports it', async () => {
    const replies = [page([1], '/v1/pets?cursor=a'), limited(), limited(), page([2], '/v1/pets?cursor=b')];
    const { result, notices } = await walk([...replies, limited(), page([3])]);
    expect(result).toEqual([1, 2, 3]);
    expect(notices.map(({ operation, error }) => [operation, error.code, error.retryAfter])).toEqual(
      Array.from({ length: 3 }, () => ['listPets', 'rate_limited', 60]),
    );
    for (const { milliseconds } of notices) expect(milliseconds).toBeGreaterThanOrEqual(60_000);
  });

  it('waits no longer than a budget that was given, nor for a service that is away', async () => {
    const { result } = await walk([page([1], '/v1/pets?cursor=a'), limited()], { budget: 15_000 });
    expect(result).toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    const away = () => refusal(503, 'service_unavailable', { 'retry-after': '60' });
    expect((await walk([away()])).result).toMatchObject({ code: 'service_unavailable' });
  });
});

describe('A call that is aborted', () => {
  it.each<[string, Reply]>([
    ['before the response', 'hangs'],
    ['while it waits for the next attempt', refusal(503, 'service_unavailable', { 'retry-after': '10' })],
  ])('ends with the reason of the signal: %s', async (_when, reply) => {
    const { fetch, sent } = new ScriptedFetch([reply]);
    const requests = new Requests({ baseUrl: 'http://petstore.test', apiKey: 'key', fetch }, '/v1', {});
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = requests.call({ ...READ, options: { signal: controller.signal } });
    const outcome = call.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(STEP_MS);
    expect(sent).toHaveLength(1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it('sends nothing when the signal was aborted before the call', async () => {
    const { fetch, sent } = new ScriptedFetch([]);
    const requests = new Requests({ baseUrl: 'http://petstore.test', apiKey: 'key', fetch }, '/v1', {});
    const reason = new Error('enough');
    await expect(requests.call({ ...READ, options: { signal: AbortSignal.abort(reason) } })).rejects.toBe(
      reason,
    );
    expect(sent).toHaveLength(0);
  });
});
