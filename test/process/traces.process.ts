import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createToken } from '../../src/platform/security/api-key-token';
import type { TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { Collector, type CollectedSpan } from './support/collector';

const cwd = makeFolder();
const key = createToken();
const CLEAN = { code: 0, signal: null };
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const ID = /^[\da-f]{16}$/;
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

let database: TestDatabase;
let collector: Collector;

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite');
  collector = await Collector.start();
});
afterEach(async () => {
  await endServiceProcesses();
  collector.stop();
  await database.drop();
});

function start(
  environment: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServiceProcess> {
  return ServiceProcess.start(
    {
      DATABASE_URL: database.url,
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: key,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      ...environment,
    },
    { cwd, nodeOptions },
  );
}

function lineOf(service: ServiceProcess, requestId: string): Record<string, unknown> | undefined {
  return service.log().find((line) => line.msg === 'request' && line.requestId === requestId);
}

function spanOf(path: (span: CollectedSpan) => boolean): CollectedSpan {
  const found = collector.spans.filter(path);
  expect(found).toHaveLength(1);
  return found[0] as CollectedSpan;
}

describe('A service with a collector of traces', () => {
  it('sends the span of a request below its parent, with the spans of its statements', async () => {
    const service = await start({
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    });
    const made = await service.fetch('/v1/pets', key, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'once-and-no-more',
        'x-request-id': 'creation',
        traceparent: `00-${TRACE}-${CALLER}-01`,
        tracestate: 'vendor=opaque',
      },
      body: '{"name":"Wolfgang Amadeus","categoryId":7781}',
    });
    expect(made.status).toBe(201);
    // The spans are sent at the stop, because the process ends before the next batch is due.
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);

    expect(collector.resource).toMatchObject({
      'service.name': 'shop',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'deployment.environment.name': 'test',
    });
    const { traceId, parentSpanId, traceState, spanId, attributes, ...request } = spanOf(
      ({ kind }) => kind === SERVER,
    );
    expect({ traceId, parentSpanId, traceState }).toEqual({
      traceId: TRACE,
      parentSpanId: CALLER,
      traceState: 'vendor=opaque',
    });
    expect(request).toMatchObject({ name: 'POST /v1/pets', statusCode: 0 });
    expect(attributes).toEqual({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': '/v1/pets',
      'http.response.status_code': 201,
    });
    expect(lineOf(service, 'creation')).toMatchObject({ traceId: TRACE, spanId, status: 201 });

    const steps = collector.spans.filter(({ kind }) => kind === CLIENT);
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([TRACE]));
    const transaction = spanOf(({ name }) => name === 'transaction');
    expect(transaction.parentSpanId).toBe(spanId);
    const insert = spanOf(({ name }) => name === 'INSERT pets');
    expect(insert.parentSpanId).toBe(transaction.spanId);
    expect(insert.attributes).toEqual({
      'db.system.name': 'sqlite',
      'db.operation.name': 'INSERT',
      'db.collection.name': 'pets',
      'db.query.text': expect.stringMatching(/^INSERT INTO "pets"/),
    });
    // TypeORM's own statement, which its query runner sends.
    expect(spanOf(({ name }) => name === 'COMMIT').parentSpanId).toBe(transaction.spanId);
    for (const step of steps) expect([spanId, transaction.spanId]).toContain(step.parentSpanId);

    for (const secret of ['petk_', 'Wolfgang', '7781', 'once-and-no-more', 'localhost', '127.0.0.1']) {
      expect(collector.received).not.toContain(secret);
    }
  });

  it('begins a trace for a request without a valid traceparent', async () => {
    const service = await start();
    await service.fetch('/v1/pets/5?limit=1', key, { headers: { 'x-request-id': 'none' } });
    await service.fetch('/v1/nothing', key, {
      headers: { 'x-request-id': 'malformed', traceparent: `00-${TRACE}-${CALLER}-1` },
    });
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    const one = spanOf(({ name }) => name === 'GET /v1/pets/{petId}');
    const other = spanOf(({ name }) => name === 'GET');
    expect(lineOf(service, 'none')).toMatchObject({ traceId: one.traceId, spanId: one.spanId, status: 400 });
    expect(lineOf(service, 'malformed')).toMatchObject({ traceId: other.traceId, spanId: other.spanId });
    for (const span of [one, other]) {
      expect(span.spanId).toMatch(ID);
      expect(span.traceId).not.toBe(TRACE);
      expect(span.parentSpanId ?? '').toBe('');
      expect(span.statusCode).toBe(0);
    }
  });

  it('marks failed spans, and logs the trace id with the failure', async () => {
    const service = await start();
    const sqlite = new SqliteDatabase(database.url.slice('sqlite:'.length));
    sqlite.exec('ALTER TABLE pets RENAME TO gone');
    sqlite.close();
    const response = await service.fetch('/v1/pets', key, { headers: { 'x-request-id': 'faulty' } });
    expect(response.status).toBe(503);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    const request = spanOf(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      statusCode: ERROR,
      attributes: { 'http.response.status_code': 503, 'error.type': '503' },
    });
    expect(spanOf(({ name }) => name === 'SELECT pets')).toMatchObject({
      statusCode: ERROR,
      attributes: { 'error.type': 'service_unavailable' },
    });
    expect(service.log().find(({ level }) => level === 50)).toMatchObject({
      requestId: 'faulty',
      traceId: request.traceId,
      spanId: request.spanId,
    });
  });

  it('does not send a trace that the client does not sample, but logs its ids', async () => {
    const service = await start();
    await service.fetch('/v1/pets', key, {
      headers: { 'x-request-id': 'quiet', traceparent: `00-${TRACE}-${CALLER}-00` },
    });
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    expect(collector.spans).toEqual([]);
    expect(lineOf(service, 'quiet')).toMatchObject({ traceId: TRACE, spanId: expect.stringMatching(ID) });
  });

  it('logs once that the collector refuses, and once that it accepts traces again', async () => {
    collector.status = 400;
    const service = await start();
    const ask = () => service.fetch('/v1/pets', key);
    const about = () => service.log().filter(({ msg }) => String(msg).startsWith('The collector'));
    for (const requests of [1, 2]) {
      await ask();
      await until(() => collector.requests === requests);
    }
    await until(() => about().length > 0);
    collector.status = 200;
    await ask();
    await until(() => about().length > 1);
    expect(about()).toMatchObject([{ level: 40 }, { level: 30 }]);
    expect(collector.spans.length).toBeGreaterThan(0);
  });
});

describe('A service whose collector of traces', () => {
  it('cannot be reached starts, serves, stops in time and keeps its log short', async () => {
    const port = await freePort('127.0.0.1');
    const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    for (let i = 0; i < 600; i++) expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    // Of the collector. A stop that has given up waiting warns, too.
    expect(service.warnings().length).toBeLessThanOrEqual(1);
  });

  it('never responds stops in time', async () => {
    collector.status = undefined;
    const service = await start();
    await service.fetch('/v1/pets', key);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    expect(collector.requests).toBe(1);
    // Else the stop as a whole has given up waiting, and says so.
    expect(service.warnings()).toEqual([]);
  });
});

describe('A service without a collector of traces', () => {
  const preload = ['--require', join(__dirname, '..', 'support', 'fixtures', 'loaded-packages.cjs')];

  async function loadedPackages(environment: Record<string, string>): Promise<unknown> {
    const file = join(makeFolder(), 'loaded.json');
    const service = await start({ ...environment, LOADED_PACKAGES: file }, preload);
    await service.fetch('/v1/pets', key);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  it('loads only the part of OpenTelemetry that the Prometheus client needs', async () => {
    expect(await loadedPackages({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual(['@opentelemetry/api']);
    expect(await loadedPackages({})).toEqual(
      expect.arrayContaining(['@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http']),
    );
  });
});
