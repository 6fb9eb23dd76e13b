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
  const result = await requests.call(operation).then(
    () => 'done',
    (error: unknown) => error,
  );
  return { result, sent };
}

describe('a call that fails', () => {
  it.each<[string, Operation, string, () => Reply]>([
    ['reading', READ, 'too many requests', BUSY],
    ['reading', READ, 'a service that is away', AWAY],
    ['reading', READ, 'a proxy without its service', () => new Response('<html>', { status: 502 })],
    ['reading', READ, 'a broken connection', CUT],
    ['adding', ADD, 'too many requests', BUSY],
    ['adding', ADD, 'a service that is away', AWAY],
    ['adding', ADD, 'a broken connection', CUT],
    ['adding', ADD, 'its own first attempt, still under way', () => refusal(409, 'idempotency_in_progress')],
    ['adding', ADD, 'a request that took too long to arrive', () => refusal(408, 'request_timeout')],
    ['changing', CHANGE, 'too many requests', BUSY],
    ['deleting', DELETE, 'too many requests', BUSY],
  ])('%s, is attempted again after %3$s', async (_what, operation, _why, reply) => {
    const { result, sent } = await attempt(operation, [reply(), reply()]);
    expect([result, sent.length]).toEqual(['done', 3]);
  });

  it.each<[string, Operation, string, Reply, string]>([
    ['reading', READ, 'what is not there', refusal(404, 'pet_not_found'), 'pet_not_found'],
    ['reading', READ, 'a fault of the service', refusal(500, 'internal_error'), 'internal_error'],
    [
      'reading',
      READ,
      'a brownout',
      refusal(410, 'operation_brownout', { 'retry-after': '1' }),
      'operation_brownout',
    ],
    [
      'adding',
      ADD,
      'another body under its key',
      refusal(422, 'idempotency_key_reused'),
      'idempotency_key_reused',
    ],
    ['changing', CHANGE, 'a service that is away', AWAY(), 'service_unavailable'],
    ['changing', CHANGE, 'a broken connection', 'breaks', 'network_error'],
    ['deleting', DELETE, 'a broken connection', 'breaks', 'network_error'],
  ])('%s, is not attempted again after %3$s', async (_what, operation, _why, reply, code) => {
    const { result, sent } = await attempt(operation, [reply]);
    expect(result).toMatchObject({ name: 'PetstoreError', code });
    expect(sent).toHaveLength(1);
  });

  it('carries one key through all its attempts, and another through those of the next call', async () => {
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
    // A timer may be a millisecond early.
    expect((second as number) - (first as number)).toBeGreaterThanOrEqual(999);
  });

  it('ends at once with the error when the budget does not last for the wait', async () => {
    const { result, sent } = await attempt(READ, [refusal(429, 'rate_limited', { 'retry-after': '60' })]);
    expect(result).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 60 });
    expect(sent).toHaveLength(1);
  });

  it('ends when its budget does, whatever it waits for', async () => {
    const begin = performance.now();
    const { result } = await attempt(READ, Array.from({ length: 100 }, CUT), { budget: 300 });
    expect(result).toMatchObject({ code: 'network_error' });
    const { result: hanging } = await attempt(READ, ['hangs'], { budget: 300 });
    expect(hanging).toMatchObject({ code: 'timeout' });
    // Far less than the 15 seconds of the default, and enough for a slow machine.
    expect(performance.now() - begin).toBeLessThan(14_000);
  });

  it('is attempted again when an attempt takes too long', async () => {
    const { result, sent } = await attempt(READ, ['hangs'], { attemptTimeout: 50 });
    expect([result, sent.length]).toEqual(['done', 2]);
  });
});

describe('a call that is aborted', () => {
  it.each<[string, Reply]>([
    ['before the response', 'hangs'],
    ['while it waits for the next attempt', refusal(503, 'service_unavailable', { 'retry-after': '10' })],
  ])('%s ends with the reason of the signal', async (_when, reply) => {
    const { fetch, sent } = new ScriptedFetch([reply]);
    const requests = new Requests({ baseUrl: 'http://petstore.test', apiKey: 'key', fetch }, '/v1', {});
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = requests.call({ ...READ, options: { signal: controller.signal } });
    setTimeout(() => controller.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it('by a signal that was aborted before sends nothing', async () => {
    const { fetch, sent } = new ScriptedFetch([]);
    const requests = new Requests({ baseUrl: 'http://petstore.test', apiKey: 'key', fetch }, '/v1', {});
    const reason = new Error('enough');
    await expect(requests.call({ ...READ, options: { signal: AbortSignal.abort(reason) } })).rejects.toBe(
      reason,
    );
    expect(sent).toHaveLength(0);
  });
});
