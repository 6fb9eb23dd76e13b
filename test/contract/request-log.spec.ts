import { connect } from 'node:net';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { DataSource } from 'typeorm';
import { describeOneEngine } from '../support/databases/databases';
import { exchange } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { PetsService } from '../../src/pets/pets.service';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { Database } from '../../src/platform/database/database';
import { IdempotencyInProgressError } from '../../src/platform/errors/http-errors';
import { Metrics } from '../../src/platform/telemetry/metrics';
import { LoggedRequest } from '../../src/platform/request-log/logged-request.entity';
import { outcomeOf } from '../../src/platform/request-log/outcome';
import { RequestLog } from '../../src/platform/request-log/request-log';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describeOneEngine('The request log', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, { RATE_LIMIT_PER_MINUTE: '60' });
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  /** Everything that is stored, once what waits has been written. */
  async function rows(): Promise<LoggedRequest[]> {
    const { app } = service;
    await app.get(RequestLog).write();
    return app
      .get(DataSource)
      .getRepository(LoggedRequest)
      .find({ order: { id: 'ASC' } });
  }

  /** The row of a request, which may end a moment after the client has its response. */
  async function rowOf(requestId: string): Promise<LoggedRequest> {
    let found: LoggedRequest | undefined;
    await until(async () => {
      found = (await rows()).find((row) => row.requestId === requestId);
      return found !== undefined;
    });
    return found as LoggedRequest;
  }

  const as = (requestId: string, more: Record<string, string> = {}) => ({
    headers: { 'x-request-id': requestId, ...more },
  });
  const pet = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const json = { 'content-type': 'application/json' };

  it('has the outcome of each request, and the message of a refusal', async () => {
    const keys = await service.app.get(ApiKeysService).list();
    const keyId = keys.find(({ name }) => name === 'test')?.id as string;
    const reader = { authorization: `Bearer ${await service.keyWith('pets:read')}` };
    const post = (id: string, headers = {}, body = pet) =>
      service.fetch('/v1/pets', { ...as(id, { ...json, ...headers }), method: 'POST', body });
    await service.fetch('/v1/pets', as('a-200', { traceparent: `00-${TRACE}-b7ad6b7169203331-01` }));
    await post('a-201');
    await service.fetch('/v1/pets?limit=0', as('a-400'));
    await service.fetch('/v1/pets', as('a-401', { authorization: 'Bearer nothing' }));
    await post('a-403', reader);
    await service.fetch('/v1/nothing/here', as('a-404-path'));
    await service.fetch('/v1/pets/999', as('a-404-pet'));
    await post('a-422-first', { 'idempotency-key': 'one' });
    await post('a-422', { 'idempotency-key': 'one' }, JSON.stringify({ name: 'Ada', categoryId: 1 }));

    const all = { node: hostname(), address: '127.0.0.1', traceId: null };
    const list = { method: 'GET', route: '/v1/pets' };
    const refused = { ...all, outcome: 'refused' };
    expect(await rowOf('a-200')).toMatchObject({
      ...all,
      ...list,
      keyId,
      status: 200,
      outcome: 'succeeded',
      code: null,
      message: null,
      traceId: TRACE,
    });
    expect(await rowOf('a-201')).toMatchObject({ ...all, method: 'POST', status: 201, outcome: 'succeeded' });
    expect(await rowOf('a-400')).toMatchObject({
      ...refused,
      ...list,
      keyId,
      status: 400,
      code: 'invalid_parameter',
      message: 'limit must be a whole number from 1 to 100.',
    });
    expect(await rowOf('a-401')).toMatchObject({
      ...refused,
      status: 401,
      code: 'invalid_api_key',
      keyId: null,
    });
    expect(await rowOf('a-403')).toMatchObject({ ...refused, status: 403, code: 'insufficient_scope' });
    expect((await rowOf('a-403')).keyId).not.toBe(keyId);
    expect(await rowOf('a-404-path')).toMatchObject({
      ...refused,
      status: 404,
      code: 'not_found',
      route: null,
    });
    expect(await rowOf('a-404-pet')).toMatchObject({
      ...refused,
      status: 404,
      code: 'pet_not_found',
      route: '/v1/pets/{petId}',
    });
    expect(await rowOf('a-422')).toMatchObject({ ...refused, status: 422, code: 'idempotency_key_reused' });
    const { at, durationMs } = await rowOf('a-200');
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000);
    expect(durationMs).toBeGreaterThan(0);
  });

  it('has requests that met a conflict, a limit or a fault', async () => {
    jest
      .spyOn(service.app.get(PetsService), 'create')
      .mockRejectedValueOnce(new IdempotencyInProgressError());
    await service.fetch('/v1/pets', { ...as('b-409', json), method: 'POST', body: pet });
    const flooding = { authorization: `Bearer ${await service.keyWith('pets:read')}` };
    for (let i = 0; i <= 60; i++) await service.fetch('/v1/pets', as('b-429', flooding));
    jest
      .spyOn(service.app.get(PetsService), 'get')
      .mockRejectedValueOnce(new Error('a secret of the service'));
    await service.fetch('/v1/pets/1', as('b-500'));

    expect(await rowOf('b-409')).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(await rowOf('b-500')).toMatchObject({ status: 500, outcome: 'failed', code: 'internal_error' });
    expect((await rowOf('b-500')).message).not.toContain('secret');
    const flood = (await rows()).filter(({ requestId }) => requestId === 'b-429');
    expect(flood.filter(({ status }) => status === 429)).toMatchObject([{ code: 'rate_limited' }]);
  });

  it('keeps the other requests beside one whose message has a character that cannot be stored', async () => {
    const error = new IdempotencyInProgressError();
    error.message = 'in progress\0';
    jest.spyOn(service.app.get(PetsService), 'create').mockRejectedValueOnce(error);
    await service.fetch('/v1/pets', { ...as('b-nul', json), method: 'POST', body: pet });
    await service.fetch('/v1/pets?limit=0', as('b-beside'));
    expect((await rowOf('b-beside')).status).toBe(400);
    expect((await rowOf('b-nul')).message).toBe('in progress\uFFFD');
  });

  it('has requests whose client has left, and those that were malformed', async () => {
    let release = () => {};
    const held = new Promise<never>((_, reject) => (release = () => reject(new Error('late'))));
    const get = jest.spyOn(service.app.get(PetsService), 'get').mockReturnValue(held);
    const socket = connect(service.port, '127.0.0.1');
    const headers = `Host: x\r\nAuthorization: Bearer ${service.key}\r\nX-Request-Id: c-aborted\r\n\r\n`;
    socket.write(`GET /v1/pets/1 HTTP/1.1\r\n${headers}`);
    await until(() => get.mock.calls.length > 0);
    socket.resetAndDestroy();
    await once(socket, 'close');
    await until(async () => (await rows()).some(({ requestId }) => requestId === 'c-aborted')).finally(
      release,
    );
    expect(await rowOf('c-aborted')).toMatchObject({
      status: null,
      outcome: 'aborted',
      route: '/v1/pets/{petId}',
      address: '127.0.0.1',
    });

    const [malformed] = await exchange(service.port, 'GET / HTTP/1.1\r\nBroken\r\n\r\n');
    expect(await rowOf(malformed?.headers.get('x-request-id')?.[0] ?? '')).toMatchObject({
      status: 400,
      code: 'bad_request',
      method: null,
      route: null,
      address: '127.0.0.1',
    });
    Object.assign(service.app.getHttpServer(), { headersTimeout: 1 });
    const [late] = await exchange(service.port, 'GET / HTTP/1.1\r\nHost: x\r\n');
    expect(await rowOf(late?.headers.get('x-request-id')?.[0] ?? '')).toMatchObject({
      status: 408,
      code: 'request_timeout',
    });
    Object.assign(service.app.getHttpServer(), { headersTimeout: 60_000 });
  });

  it('has no key, body, query value, path or Idempotency-Key, wherever a client puts them', async () => {
    const secret = `petk_${'S3cret'.repeat(8)}a`;
    const tell = (path: string, init: RequestInit = {}) =>
      service.fetch(path, { ...init, headers: { 'x-request-id': secret, ...init.headers } });
    await tell(`/v1/pets?limit=${secret}`);
    await tell(`/v1/pets?${secret}=1`);
    await tell(`/v1/pets?cursor=${secret}`);
    await tell(`/v1/pets/${secret}`);
    await tell(`/v1/${secret}`);
    await tell('/v1/pets', { headers: { authorization: `Bearer ${secret}` } });
    await tell('/v1/pets', { headers: { cookie: secret, accept: secret, traceparent: secret } });
    const body = JSON.stringify({ name: 7, [secret]: secret, categoryId: secret, status: secret });
    await tell('/v1/pets', { method: 'POST', headers: { ...json, 'idempotency-key': secret }, body });
    await tell('/v1/pets', { method: 'POST', headers: { 'content-type': secret }, body });
    await exchange(service.port, `${secret} / HTTP/1.1\r\n${secret}: ${secret}\r\n\r\n`);
    await until(
      async () => (await rows()).filter(({ requestId }) => requestId === 'petk_[redacted]').length === 9,
    );
    const stored = JSON.stringify(await rows(), (_, value: unknown) =>
      typeof value === 'bigint' ? 0 : value,
    );
    expect(stored).not.toContain('S3cret');
    expect(stored).not.toContain(service.key);
  });

  it('leaves out health probes that succeed', async () => {
    await fetch(`${service.url}/health/live`, as('d-live'));
    await fetch(`${service.url}/v1/nothing`, as('d-after'));
    await rowOf('d-after');
    expect((await rows()).map(({ requestId }) => requestId)).not.toContain('d-live');
  });

  it('keeps a bounded number a second, and counts the important ones that it drops', async () => {
    const log = service.app.get(RequestLog);
    await log.write();
    const dropped = jest.spyOn(service.app.get(Metrics).requestLogDropped, 'add');
    const taken = (outcome: 'succeeded' | 'refused', durationMs: number) =>
      Array.from({ length: 300 }, () => log.takes(outcome, durationMs)).filter(Boolean).length;
    expect([taken('succeeded', 1), taken('refused', 1), taken('succeeded', 1_000)]).toEqual([20, 200, 0]);
    expect(dropped.mock.calls.filter(([reason]) => reason === 'rate')).toHaveLength(400);
    await log.write();
    expect(log.takes('succeeded', 1_000)).toBe(true);
  });

  it('keeps requests while the database is away, up to a limit beyond which it counts them as dropped', async () => {
    const log = service.app.get(RequestLog);
    const database = service.app.get(Database);
    const rename = (from: string, to: string) =>
      database.dataSource.query(`ALTER TABLE "${from}" RENAME TO "${to}"`);
    const before = (await rows()).length;
    const dropped = jest.spyOn(service.app.get(Metrics).requestLogDropped, 'add');
    const row = { ...(await unstored()), requestId: 'e-away' };
    await rename('request_log', 'away');
    for (let i = 0; i < 2_300; i++) {
      if (i % 100 === 0) await log.write();
      if (log.takes('failed', 1)) log.add(row);
    }
    expect(dropped.mock.calls.filter(([reason]) => reason === 'backlog').length).toBeGreaterThanOrEqual(300);
    const response = await service.fetch('/v1/pets', {
      headers: { authorization: `Bearer ${await service.keyWith('pets:read')}` },
    });
    expect(response.status).toBe(200);
    await rename('away', 'request_log');
    const written = (await rows()).slice(before).filter(({ requestId }) => requestId === 'e-away');
    expect(written).toHaveLength(2_000);
    expect(service.log().match(/The request log cannot be written/g)).toHaveLength(1);
  });

  async function unstored(): Promise<Omit<LoggedRequest, 'id' | 'at' | 'node'>> {
    const [row] = await rows();
    if (!row) throw new Error('Nothing has been logged yet.');
    return row;
  }
});

describe('The outcome of a request', () => {
  it.each([
    [200, true, 'succeeded'],
    [304, true, 'succeeded'],
    [200, false, 'aborted'],
    [404, false, 'refused'],
    [503, true, 'failed'],
    [undefined, false, 'aborted'],
  ] as const)('follows from status and completeness: %s, whole %s, is %s', (status, isWhole, outcome) => {
    expect(outcomeOf(status, isWhole)).toBe(outcome);
  });
});
