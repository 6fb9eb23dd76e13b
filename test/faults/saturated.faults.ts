import { DataSource } from 'typeorm';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { Scrape } from '../contract/support/scrape';

/** A status of HTTP, and the report that came with it. */
type Told = readonly [status: number, body: { status: string; checks?: Record<string, { status: string }> }];

describeEachEngine('A saturated service', (engine) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(engine, {
      DATABASE_POOL_SIZE: '2',
      DATABASE_STATEMENT_TIMEOUT_MS: '30000',
    });
  });
  afterEach(() => service.stop());

  async function told(url: string): Promise<Told> {
    const response = await fetch(url);
    return [response.status, (await response.json()) as Told[1]];
  }
  const readiness = () => told(`${service.managementUrl}/health/ready`);
  const publicReadiness = () => told(`${service.url}/health/ready`);
  const metric = async () => (await Scrape.of(service)).value('petstore_saturated');

  if (engine === 'sqlite') {
    it('stays ready and reports saturated while its event loop is late repeatedly', async () => {
      expect(await metric()).toBe(0);
      const block = setInterval(() => {
        const end = performance.now() + 1_100;
        while (performance.now() < end);
      }, 50);
      try {
        await until(async () => (await readiness())[1].status === 'saturated');
        expect(await publicReadiness()).toEqual([200, { status: 'ok' }]);
        expect(await readiness()).toMatchObject([200, { status: 'saturated' }]);
      } finally {
        clearInterval(block);
      }
      expect((await readiness())[1].checks).toMatchObject({
        load: { status: 'saturated', lagMs: expect.any(Number) as number },
      });
      expect(await metric()).toBe(1);
    });
    return;
  }

  it('stays ready while requests wait for connections of its pool and get them in turn', async () => {
    const { manager } = service.app.get(DataSource);
    const end = new AbortController();
    const busy = Array.from({ length: 20 }, async () => {
      while (!end.signal.aborted) await manager.query('SELECT pg_sleep(0.2)');
    });
    await until(async () => (await readiness())[1].checks?.['load']?.status === 'saturated');
    expect(await publicReadiness()).toEqual([200, { status: 'ok' }]);
    expect(await readiness()).toMatchObject([
      200,
      { status: 'saturated', checks: { database: { status: 'saturated' } } },
    ]);
    expect(await metric()).toBe(1);
    end.abort();
    await Promise.all(busy);
    await until(async () => (await readiness())[1].status === 'ok');
  });

  it('is not ready while no request gets a connection', async () => {
    const { manager } = service.app.get(DataSource);
    const stuck = Array.from({ length: 4 }, () => manager.query('SELECT pg_sleep(5)'));
    await until(async () => (await readiness())[0] === 503);
    expect(await publicReadiness()).toMatchObject([503, { code: 'service_unavailable' }]);
    expect(await readiness()).toMatchObject([
      503,
      { status: 'unavailable', checks: { database: { status: 'failed' } } },
    ]);
    await Promise.all(stuck);
  });
});
