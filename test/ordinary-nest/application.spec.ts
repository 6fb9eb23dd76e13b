import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createObserveModule } from '@nestjs/observe';
import type { CreateApplication } from '../../src/create-app';
import * as features from '../../src/features';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { ApplicationModule, cancelled } from './application.module';

/** As a line in `src/create-app.ts`, after the application is made. */
function withLine(line: (app: NestExpressApplication) => unknown): { readonly create: CreateApplication } {
  return {
    create: async (root, adapter, options) => {
      const app = await NestFactory.create<NestExpressApplication>(root, adapter, options);
      line(app);
      return app;
    },
  };
}

const ALL = { ...features, ApplicationModule };

describe('An application of Nest 12', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      {},
      {
        features: ALL,
        ...withLine((app) => app.enableCsrfProtection().useSecurityHeaders()),
      },
    );
  });
  afterAll(() => service.stop());

  const get = (path: string, init?: RequestInit) => service.fetch(`/v1/moons/${path}`, init);

  it.each([
    ['/v1/moons/phase', 200],
    ['/v1/pets', 200],
    ['/v1/moons/none', 404],
    ['/nowhere', 404],
  ])('sends the header fields of `useSecurityHeaders()` with %s', async (path, status) => {
    const { status: found, headers } = await service.fetch(path);
    expect([found, headers.get('content-security-policy'), headers.get('strict-transport-security')]).toEqual(
      [status, expect.stringContaining("default-src 'self'"), expect.stringContaining('max-age=')],
    );
  });

  it('refuses what `enableCsrfProtection()` refuses, in the one shape of errors', async () => {
    const send = (site: string) =>
      service.post('/v1/moons/named', { name: 'Io' }, { 'sec-fetch-site': site });
    const refused = await send('cross-site');
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        code: 'forbidden',
        message: 'Cross-origin request detected from Sec-Fetch-Site header',
        status: 403,
      },
    ]);
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect((await send('same-origin')).status).toBe(201);
  });

  it('sends a web stream, and cancels it when its client leaves', async () => {
    expect(await (await get('bytes')).text()).toBe('waxing');
    const client = new AbortController();
    const { body } = await get('endless', { signal: client.signal });
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('night ');
    client.abort();
    await until(() => cancelled.length > 0);
  });

  it('sends the Response that an Observable emits', async () => {
    const response = await get('fetched');
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      203,
      'application/json; charset=utf-8',
      { from: 'afar' },
    ]);
  });

  it('validates the bytes of a body by the schema of `@RawBody()`', async () => {
    expect(await (await service.post('/v1/moons/bytes', { a: 1 })).json()).toEqual({ length: 7 });
    const refused = await service.post('/v1/moons/bytes', { a: 'x'.repeat(30) });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'invalid_body', message: 'The body: Invalid input.', status: 400 },
    ]);
  });

  it('leaves validation to the StandardSchemaValidationPipe of APP_PIPE', async () => {
    expect((await service.post('/v1/moons/named', { name: 'Io' })).status).toBe(201);
    const refused = await service.post('/v1/moons/named', { name: 5 });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'bad_request', message: expect.stringContaining('name'), status: 400 },
    ]);
  });
});

describe('The stop of an application of Nest 12', () => {
  it('gives the signal to the onApplicationShutdown() of modules', async () => {
    const signals: unknown[] = [];
    @Module({ providers: [{ provide: 'word', useValue: 'bye' }] })
    class FarewellModule {
      onApplicationShutdown(signal?: string): void {
        signals.push(signal);
      }
    }
    const service = await startTestService('sqlite', {}, { features: { ...features, FarewellModule } });
    await service.stop('SIGTERM');
    expect(signals).toEqual(['SIGTERM']);
  });
});

describe('The start of an application of Nest 12', () => {
  const start = async (options: Parameters<typeof startTestService>[2]) => {
    const service = await startTestService('sqlite', {}, options);
    // One that starts all the same does not keep the tests from ending.
    await service.stop();
  };

  it.each([
    ['rawBody', true, 'take @RawBody() in the handler that needs the bytes'],
    ['httpsOptions', { key: 'k', cert: 'c' }, 'let a proxy in front end TLS, and name it in TRUST_PROXY'],
    ['forceCloseConnections', true, 'a stop ends every connection after the requests under way'],
    ['return503OnClosing', true, 'requests that come while the service stops get 503 already'],
    ['bodyParser', true, 'a body is read once its key has been judged'],
    ['cors', true, 'set CORS_ORIGINS'],
    ['logger', false, 'the log is that of LOG_LEVEL'],
  ])('refuses the option %s of Nest, and names its replacement', async (name, value, remedy) => {
    await expect(start({ nestOptions: { [name]: value } })).rejects.toThrow(
      `src/nest-options.ts sets ${name}, which the service sets itself: ${remedy}.`,
    );
  });

  it.each([['api'], [['api', 'shop']]])(
    'refuses the global prefix %j, and says where to put prefixes',
    async (prefix) => {
      await expect(start(withLine((app) => app.setGlobalPrefix(prefix as string)))).rejects.toThrow(
        `setGlobalPrefix(${JSON.stringify(prefix)}) would move paths that clients know: leave it out, and write prefixes in @Controller().`,
      );
    },
  );

  it('works with @nestjs/observe, which reports the requests', async () => {
    const collector = createServer((request, response) => {
      request.on('error', () => undefined);
      void request.resume();
      response.end('{}');
    });
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    const { ObserveModule, ObserveInstrument } = createObserveModule();
    const observed = ObserveModule.forRoot({
      appKey: 'key',
      appSecret: 'secret',
      serviceId: 'petstore',
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      flushInterval: 100,
    });
    const reported = once(collector, 'request');
    const service = await startTestService(
      'sqlite',
      {},
      {
        features: { ...ALL, ObserveModule: observed },
        nestOptions: { instrument: ObserveInstrument },
      },
    );
    try {
      expect(await (await service.fetch('/v1/moons/phase')).json()).toEqual({ phase: 'full' });
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
      const [{ url }] = (await reported) as [IncomingMessage];
      expect(url).toBe('/applications/telemetry');
    } finally {
      await service.stop();
      collector.close();
    }
  });
});
