import { hostname } from 'node:os';
import { DataSource, Not, IsNull } from 'typeorm';
import { LoggedRequest } from '../../src/platform/request-log/logged-request.entity';
import { RequestLog } from '../../src/platform/request-log/request-log';
import type { TimelineView } from '../../src/platform/tracing/timeline';
import { BarnsModule } from '../support/barns.module';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { until } from '../support/until';
import { judgeSlow } from './support/judge-slow';

describeOneEngine('The request log of the management port', (engine) => {
  let service: TestService;
  const start = async (isSlow: () => boolean) => {
    service = await withFeatures({ BarnsModule }, () => startTestService(engine, { NODE_ENV: 'production' }));
    judgeSlow(service, isSlow);
  };
  const ask = (path: string, requestId: string) =>
    fetch(`${service.managementUrl}${path}`, { headers: { 'x-request-id': requestId } });

  async function rows(): Promise<LoggedRequest[]> {
    await service.app.get(RequestLog).write();
    return service.app
      .get(DataSource)
      .getRepository(LoggedRequest)
      .findBy({ requestId: Not(IsNull()) });
  }

  async function rowOf(requestId: string): Promise<LoggedRequest> {
    let found: LoggedRequest | undefined;
    await until(async () => {
      found = (await rows()).find((row) => row.requestId === requestId);
      return found !== undefined;
    });
    return found as LoggedRequest;
  }

  describe('for fast requests', () => {
    beforeAll(() => start(() => false));
    afterAll(() => service.stop());

    it('keeps only one that failed, with its statements', async () => {
      expect((await ask('/metrics', 'm-metrics')).status).toBe(200);
      expect((await ask('/barns/1', 'm-quick')).status).toBe(200);
      expect((await ask('/no-such-path', 'm-missing')).status).toBe(404);
      expect((await ask('/barns/broken', 'm-broken')).status).toBe(500);
      const { timeline, ...row } = await rowOf('m-broken');
      expect(row).toMatchObject({
        ...{ method: 'GET', route: '/barns/broken', status: 500, outcome: 'failed', code: 'internal_error' },
        ...{ keyId: null, address: '127.0.0.1', node: hostname() },
      });
      expect((JSON.parse(timeline ?? '') as TimelineView).statements).toMatchObject([
        { text: 'SELEKT * FROM "no_such_barn" WHERE "name" = ?', failed: 1 },
      ]);
      expect((await rows()).map(({ requestId }) => requestId)).toEqual(['m-broken']);
    });
  });

  describe('for slow requests', () => {
    beforeAll(() => start(() => true));
    afterAll(() => service.stop());

    it('keeps their statements, but no search text', async () => {
      expect((await ask('/barns/100?search=rosebud', 's-barns')).status).toBe(200);
      const { timeline } = await rowOf('s-barns');
      expect((JSON.parse(timeline ?? '') as TimelineView).statements).toMatchObject([{ count: 100 }]);
      const stored = JSON.stringify(await rows(), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      expect(stored).not.toContain('rosebud');
    });
  });
});
