import { Controller, Get, Res, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppModule } from '../../src/app.module';
import { NoContentResponse } from '../../src/platform/http/operations/response.decorators';
import { RateLimited } from '../../src/platform/rate-limit/rate-limited.decorator';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import { startTestService, type TestService } from '../support/service/service';
import { toldLimit } from './support/rate-limit';
import { ask, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';

@RequireScopes('exports:read')
@RateLimited('exports', { perMinute: 2 })
@Controller('exports')
class ExportsController {
  @Get('one')
  @NoContentResponse('Nothing.')
  exportOne(): void {}

  @Get('other')
  @NoContentResponse('Nothing.')
  exportOther(): void {}

  @Get('stream')
  @ApiExcludeEndpoint()
  @RateLimited('streams', { perMinute: 7 })
  stream(@Res() response: Response): void {
    response.type('text/plain').end('written by the handler itself');
  }

  @Get('broken')
  @ApiExcludeEndpoint()
  @RateLimited('streams', { perMinute: 7 })
  broken(): void {
    throw new Error('broken');
  }
}

@ApiExcludeController()
@RequireScopes('exports:read')
@Controller({ path: 'more', version: VERSION_NEUTRAL })
class OtherNumberController {
  @Get()
  @RateLimited('exports', { perMinute: 3 })
  more(): void {}
}

@ApiExcludeController()
@RequireScopes('exports:read')
@Controller({ path: 'taken', version: VERSION_NEUTRAL })
class TakenNameController {
  @Get()
  @RateLimited('default', { perMinute: 3 })
  taken(): void {}
}

@ApiExcludeController()
@Public()
@Controller({ path: 'open', version: VERSION_NEUTRAL })
class PublicController {
  @Get()
  @RateLimited('open', { perMinute: 3 })
  open(): void {}
}

/** Starts the service with more controllers in it. */
async function startWith(controllers: Type[], perMinute: number): Promise<TestService> {
  const forRoot = AppModule.forRoot.bind(AppModule);
  const replaced = jest
    .spyOn(AppModule, 'forRoot')
    .mockImplementation((parts) => ({ ...forRoot(parts), controllers }));
  try {
    return await startTestService('sqlite', { RATE_LIMIT_PER_MINUTE: String(perMinute) });
  } finally {
    replaced.mockRestore();
  }
}

describe('@RateLimited', () => {
  let service: TestService;
  let key = '';
  const get = (target: string): WireRequest => ({ target, key });

  beforeAll(async () => (service = await startWith([ExportsController], 4)));
  beforeEach(async () => (key = await service.keyWith('exports:read', 'pets:read')));
  afterAll(() => service.stop());

  it('gives operations a budget of their own, shared by those of one name', async () => {
    expect(toldLimit(await ask(service, get('/v1/exports/one')))).toMatchObject({
      policy: 'exports',
      quota: 2,
      remaining: 1,
    });
    expect(toldLimit(await ask(service, get('/v1/exports/other')))?.remaining).toBe(0);
    const refused = await expectRefused(service, {
      request: get('/v1/exports/one'),
      status: 429,
      code: 'rate_limited',
    });
    expect(toldLimit(refused)).toMatchObject({ policy: 'exports', remaining: 0 });
    expect(toldLimit(await ask(service, get('/v1/pets')))).toMatchObject({ policy: 'default', remaining: 3 });
  });

  it('overrides that of the controller and the common limit on a route', async () => {
    for (let count = 0; count < 5; count++) await ask(service, get('/v1/pets'));
    const response = await ask(service, get('/v1/exports/stream'));
    expect(response).toMatchObject({ status: 200, body: 'written by the handler itself' });
    expect(toldLimit(response)).toMatchObject({ policy: 'streams', quota: 7, remaining: 6 });
  });

  it('reports the limit even when a handler fails that writes its own response', async () => {
    const response = await ask(service, get('/v1/exports/broken'));
    expect(response.status).toBe(500);
    expect(toldLimit(response)?.policy).toBe('streams');
  });

  it('counts before the scopes are checked', async () => {
    const other = await service.keyWith('pets:read');
    for (const status of [403, 403, 429])
      expect((await ask(service, { target: '/v1/exports/one', key: other })).status).toBe(status);
  });

  it('is in the metrics with its name', async () => {
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    expect(metrics).toContain('petstore_rate_limited_total{policy="exports"} 2');
    expect(metrics).toContain('petstore_rate_limited_total{policy="streams"} 0');
  });

  it('is off when all limits are switched off', async () => {
    const unlimited = await startWith([ExportsController], 0);
    const token = await unlimited.keyWith('exports:read');
    for (let count = 0; count < 4; count++) {
      const response = await ask(unlimited, { target: '/v1/exports/one', key: token });
      expect([response.status, toldLimit(response)]).toEqual([204, undefined]);
    }
    await unlimited.stop();
  });

  it('stops the start when its name has two limits or is reserved, or the route is public', async () => {
    const faults: [Type[], string][] = [
      [[ExportsController, OtherNumberController], 'policy exports is declared with two numbers'],
      [[TakenNameController], 'policy default is reserved by the service'],
      [[PublicController], 'GET /open (PublicController.open) is public'],
    ];
    for (const [controllers, message] of faults) {
      for (const perMinute of [600, 0])
        await expect(startWith(controllers, perMinute)).rejects.toThrow(message);
    }
  });

  it.each([
    ['', 1],
    ['Exports', 1],
    ['a b', 1],
    ['a"', 1],
    ['1a', 1],
    ['a'.repeat(33), 1],
    ['exports', 0],
    ['exports', 1.5],
    ['exports', Number.NaN],
    ['exports', Infinity],
  ])('refuses %j with %d', (name, perMinute) => {
    expect(() => RateLimited(name, { perMinute })).toThrow(RangeError);
  });

  it('is explained in the guide', async () => {
    const guide = await (await fetch(`${service.url}/docs/guide`)).text();
    expect(guide).toContain('RateLimit-Policy: &quot;default&quot;;q=4;w=60');
    expect(guide).toMatch(/<td>default<\/td>\s*<td>4<\/td>\s*<td>all others<\/td>/);
    expect(guide).toMatch(
      /<td>exports<\/td>\s*<td>2<\/td>\s*<td><code>exportOne<\/code>, <code>exportOther<\/code><\/td>/,
    );
  });
});
