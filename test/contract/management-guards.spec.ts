import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppModule } from '../../src/app.module';
import { send } from '../../src/platform/http/response/response-writer';
import { OnManagementPort } from '../../src/platform/http/management/on-management-port.decorator';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { startTestService, type TestService } from '../support/service/service';
import { ask } from './support/request';
import { expectRefused } from './support/rows';

/** A page for operators whose path another controller has, too, on the public port. */
@OnManagementPort()
@RequireScopes('admin:keys')
@Controller('docs')
class OperatorPages {
  @Get(':name')
  page(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    send(request, response, 200, JSON.stringify({ page: name, asked: request.originalUrl }), 'no-store');
  }
}

describe('A controller on the management port', () => {
  let service: TestService;
  const management = () => ({ port: service.managementPort, key: service.key });

  beforeAll(async () => {
    const forRoot = AppModule.forRoot.bind(AppModule);
    jest
      .spyOn(AppModule, 'forRoot')
      .mockImplementation((parts) => ({ ...forRoot(parts), controllers: [OperatorPages] }));
    service = await startTestService('sqlite');
    jest.restoreAllMocks();
  });
  afterAll(() => service.stop());

  it('is guarded like any other', async () => {
    const target = '/docs/keys';
    await expectRefused(management(), { request: { target, key: null }, status: 401, code: 'unauthorized' });
    await expectRefused(management(), {
      request: { target, key: 'x' },
      status: 401,
      code: 'invalid_api_key',
    });
    const key = await service.keyWith('pets:read');
    await expectRefused(management(), {
      request: { target, key },
      status: 403,
      code: 'insufficient_scope',
      fields: { 'WWW-Authenticate': /scope="admin:keys"/ },
    });
  });

  it('gets its parameters and the original URL', async () => {
    for (const target of ['/docs/keys?sort=name', 'http://localhost/docs/keys?sort=name']) {
      const response = await ask(management(), { target });
      expect([response.status, JSON.parse(response.body)]).toEqual([
        200,
        { page: 'keys', asked: expect.stringMatching(/\/docs\/keys\?sort=name$/) },
      ]);
    }
  });

  it('does not conflict with one of the same path on the public port', async () => {
    const there = await ask(service, { target: '/docs/guide', key: null });
    expect([there.status, there.headers.get('content-type')]).toEqual([200, ['text/html; charset=utf-8']]);
    const here = await ask(management(), { target: '/docs/guide' });
    expect([here.status, JSON.parse(here.body)]).toMatchObject([200, { page: 'guide' }]);
    await expectRefused(service, { request: { target: '/docs/keys' }, status: 404, code: 'not_found' });
    await expectRefused(management(), { request: { target: '/docs' }, status: 404, code: 'not_found' });
  });

  it('is not part of the OpenAPI document', async () => {
    const document = await (await service.fetch('/docs/openapi.json')).text();
    expect(document).not.toContain('management');
    expect(document).not.toContain('OperatorPages');
    const guide = await (await service.fetch('/docs/guide')).text();
    expect(guide).not.toContain('admin:keys');
  });
});
