import { Controller, Get, Injectable, Module, Query, type Type, UseGuards } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ApplicationConfig,
  ModuleRef,
  NestFactory,
} from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppOptions } from '../../src/create-app';
import * as features from '../../src/features';
import type { Page } from '../../src/platform/database/statements/page';
import { PageResponse } from '../../src/platform/http/operations/response.decorators';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { CacheResponse } from '../../src/platform/http/response/response-cache';
import { ReadOnlyMode } from '../../src/platform/read-only/read-only-mode';
import { Public } from '../../src/platform/security/access.decorators';
import { describeEachEngine, describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { desk, DeskFilter, DeskGuard, DeskInterceptor, deskMiddleware, DeskPipe } from './desk-parts';
import { PlainSheetsModule, SheetDto, SheetsModule } from './repeated.module';

beforeEach(() => {
  Object.assign(desk, { calls: 0, guarded: 0, seen: [], isOpen: true, isRefused: false });
});

const REQUESTS = 6;

describeEachEngine('A response that is kept for equal requests', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, {}, { features: { ...features, SheetsModule } });
  });
  afterAll(() => service.stop());

  const ask = (path: string, tenant = 'a') =>
    service.fetch(`/v1/sheets/${path}`, { headers: { 'x-tenant': tenant } });

  it.each([
    ['a guard of the method', 'guarded-method', 'DeskGuard'],
    ['a guard of the controller', 'guarded-controller', 'DeskGuard'],
    ['a guard that the controller inherits', 'inherited', 'DeskGuard'],
    ['a guard in a decorator of several', 'composed', 'DeskGuard'],
    ['an interceptor', 'intercepted', 'DeskInterceptor'],
    ['a pipe of the method', 'piped', 'DeskPipe'],
    ['a pipe of a parameter', 'piped-parameter', 'DeskPipe'],
    ['a filter', 'filtered', 'DeskFilter'],
    ['a parameter that reads a header field', 'by-field', '@Headers()'],
    ['the request as a parameter', 'by-request', '@Request()'],
    ['the response as a parameter', 'by-response', '@Response()'],
    ['the address of the client as a parameter', 'by-address', '@Ip()'],
    ['a parameter decorator of the team', 'by-decorator', 'a parameter decorator'],
    ['a controller of request scope', 'scoped', 'providers of request scope'],
    ['a controller of one host', 'hosted', 'the host of the controller'],
    ['a header field of the method', 'field', '@Header()'],
    ['middleware of the path', 'behind', 'middleware of /v1/sheets/behind'],
  ])('is left out with %s, and the log says why', async (_title, path, part) => {
    for (let n = 0; n < REQUESTS; n++) expect((await ask(path)).status).toBe(200);
    expect(desk.calls).toBe(REQUESTS);
    expect(service.log()).toMatch(
      new RegExp(`Responses of GET /v1/sheets/${path} .* not cached, .*${RegExp.escape(part)}`),
    );
  });

  it('is sent where nothing of the team is asked, and no line of the log names the operation', async () => {
    if (engine === 'sqlite') {
      await until(async () => {
        const { calls } = desk;
        await ask('plain');
        return desk.calls === calls;
      });
    }
    expect(await (await ask('plain')).json()).toEqual([{ owner: 'test', number: 1 }]);
    expect(service.log()).not.toMatch(/Responses of GET \/v1\/(sheets\/plain|pets) /);
  });

  it.each(['guarded-method', 'guarded-controller', 'inherited', 'composed'])(
    'is not sent once a guard has closed: %s',
    async (path) => {
      for (let n = 0; n < REQUESTS; n++) await ask(path);
      desk.isOpen = false;
      expect((await ask(path)).status).toBe(403);
    },
  );

  it.each(['by-field', 'by-request', 'by-response', 'by-decorator'])(
    'is not sent to another tenant: %s',
    async (path) => {
      for (let n = 0; n < REQUESTS; n++) await ask(path, 'a');
      expect(await (await ask(path, 'b')).json()).toEqual([{ owner: 'b', number: 1 }]);
    },
  );

  it('has the header fields of the method', async () => {
    for (let n = 0; n < REQUESTS; n++) expect((await ask('field')).headers.get('x-sheet')).toBe('yes');
  });
});

describeEachEngine('A request that is repeated with its Idempotency-Key', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, {}, { features: { ...features, SheetsModule } });
  });
  afterAll(() => service.stop());

  const send = (key: string) =>
    service.post('/v1/sheets', { owner: 'a', number: 7 }, { 'Idempotency-Key': key });

  it('is refused by a guard that has closed since', async () => {
    expect((await send('closing')).status).toBe(201);
    desk.isOpen = false;
    const refused = await send('closing');
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
    desk.isOpen = true;
    expect((await send('closing')).headers.get('idempotency-replayed')).toBe('true');
  });

  it('runs guards and interceptors, which see the result as the first time, and not the handler', async () => {
    const first = await send('seen');
    const again = await send('seen');
    expect([again.status, await again.text()]).toEqual([201, await first.text()]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([desk.calls, desk.guarded]).toEqual([1, 4]);
    expect(desk.seen[1]).toEqual(desk.seen[0]);
  });

  it('gets the refusal that is kept, after the guard', async () => {
    desk.isRefused = true;
    const first = await send('refused');
    desk.isRefused = false;
    const again = await send('refused');
    expect([first.status, again.status, await again.text()]).toEqual([409, 409, await first.text()]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([desk.calls, desk.guarded]).toEqual([1, 4]);
    desk.isOpen = false;
    expect((await send('refused')).status).toBe(403);
  });

  it('gets its response while the service is read-only', async () => {
    expect((await send('written')).status).toBe(201);
    const mode = service.app.get(ReadOnlyMode);
    jest.spyOn(mode, 'assertWritable').mockImplementation(() => {
      throw new Error('read-only');
    });
    try {
      expect((await send('written')).status).toBe(201);
    } finally {
      jest.restoreAllMocks();
    }
  });
});

/** Adds a guard as its module starts. */
@Injectable()
class LateGuard {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {}

  async onModuleInit(): Promise<void> {
    this.config.addGlobalGuard(await this.moduleRef.create(DeskGuard));
  }
}

function moduleWith(provider: object): Type {
  @Module({ providers: [provider as never] })
  class ProvidingModule {}
  return ProvidingModule;
}

function withLine(line: (app: NestExpressApplication) => unknown): AppOptions {
  return {
    create: async (root, adapter, options) => {
      const app = await NestFactory.create<NestExpressApplication>(root, adapter, options);
      line(app);
      return app;
    },
  };
}

describeOneEngine('Every operation of an application', (engine) => {
  it.each<[string, AppOptions, string]>([
    ['APP_GUARD', { features: { M: moduleWith({ provide: APP_GUARD, useClass: DeskGuard }) } }, 'DeskGuard'],
    [
      'APP_INTERCEPTOR of request scope',
      { features: { M: moduleWith({ provide: APP_INTERCEPTOR, useClass: DeskInterceptor, scope: 2 }) } },
      'DeskInterceptor',
    ],
    ['APP_PIPE', { features: { M: moduleWith({ provide: APP_PIPE, useClass: DeskPipe }) } }, 'DeskPipe'],
    [
      'APP_FILTER',
      { features: { M: moduleWith({ provide: APP_FILTER, useValue: new DeskFilter() }) } },
      'DeskFilter',
    ],
    ['a guard that a module adds itself', { features: { M: moduleWith(LateGuard) } }, 'DeskGuard'],
    ['useGlobalGuards()', withLine((app) => app.useGlobalGuards(new DeskGuard())), 'DeskGuard'],
    [
      'useGlobalInterceptors()',
      withLine((app) => app.useGlobalInterceptors(new DeskInterceptor())),
      'DeskInterceptor',
    ],
    ['useGlobalPipes()', withLine((app) => app.useGlobalPipes(new DeskPipe())), 'DeskPipe'],
    ['app.use()', withLine((app) => app.use(deskMiddleware)), 'middleware deskMiddleware'],
    [
      'use() of Express',
      withLine((app) => app.getHttpAdapter().getInstance().use(deskMiddleware)),
      'middleware deskMiddleware',
    ],
  ])('keeps no responses with %s', async (_title, options, part) => {
    const service = await startTestService(
      engine,
      {},
      { ...options, features: { ...features, ...options.features, PlainSheetsModule } },
    );
    try {
      for (let n = 0; n < REQUESTS; n++) {
        expect((await service.fetch('/v1/sheets/plain')).status).toBe(200);
      }
      expect(desk.calls).toBe(REQUESTS);
      for (const path of ['sheets/plain', 'pets']) {
        expect(service.log()).toMatch(new RegExp(`Responses of GET /v1/${path} .*, because of ${part}\\b`));
      }
    } finally {
      await service.stop();
    }
  });

  it('keeps its responses with CORS_ORIGINS, security headers, and middleware of other paths', async () => {
    const service = await startTestService(
      engine,
      { CORS_ORIGINS: 'https://shop.example' },
      {
        ...withLine((app) => app.useSecurityHeaders().use('/v1/other', deskMiddleware)),
        features: { ...features, PlainSheetsModule },
      },
    );
    try {
      expect(service.log()).not.toContain('not cached');
    } finally {
      await service.stop();
    }
  });
});

@Public()
@Controller('sheets')
class OpenController {
  @Get()
  @UseGuards(DeskGuard)
  @CacheResponse()
  @PageResponse(SheetDto, 'OpenSheets', 'All.')
  listOpen(@Query() _query: PageQuery): Page<SheetDto> {
    return { items: [] };
  }
}

@Public()
@UseGuards(DeskGuard)
@Controller('sheets')
class OpenDeskController {
  @Get()
  @CacheResponse()
  @PageResponse(SheetDto, 'OpenSheets', 'All.')
  listOpen(@Query() _query: PageQuery): Page<SheetDto> {
    return { items: [] };
  }
}

describe('The start', () => {
  it.each([
    ['a guard of the method', OpenController],
    ['a guard of the controller', OpenDeskController],
  ])('refuses a public operation that has both @CacheResponse() and %s', async (_title, controller) => {
    @Module({ controllers: [controller] })
    class OpenModule {}
    await expect(startTestService('sqlite', {}, { features: { ...features, OpenModule } })).rejects.toThrow(
      `(${controller.name}.listOpen) is public and has both @CacheResponse() and a guard`,
    );
  });
});
