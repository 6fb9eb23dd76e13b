import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { ChecksModule, Warehouse } from './checks.module';

describeOneEngine('@nestjs/terminus, used as its documentation shows', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ ChecksModule }, () => startTestService(engine));
  });
  afterAll(() => service.stop());

  const check = async () => {
    const response = await fetch(`${service.url}/v1/checks`);
    const body: unknown = await response.json();
    return { status: response.status, body, cache: response.headers.get('cache-control') };
  };

  it('reports ok', async () => {
    expect(await check()).toMatchObject({
      status: 200,
      cache: 'no-cache, no-store, must-revalidate',
      body: { status: 'ok', info: { warehouse: { status: 'up' } } },
    });
  });

  it('reports what is down, in the common shape of errors, and its details in the log', async () => {
    service.app.get(Warehouse, { strict: false }).isOpen = false;
    expect(await check()).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable', message: expect.any(String), status: 503 },
    });
    expect(service.log()).toContain('"reason":"closed"');
  });

  it('is documented with both responses', async () => {
    const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { description: string }> } }>;
    };
    const responses = document.paths['/checks']?.get.responses ?? {};
    expect(Object.keys(responses)).toEqual(['200', '503', 'default']);
    expect(responses['503']?.description).toContain('not successful');
  });
});
