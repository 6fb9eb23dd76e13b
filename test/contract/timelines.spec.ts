import { DataSource } from 'typeorm';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { LoggedRequest } from '../../src/platform/request-log/logged-request.entity';
import type { TimelineView } from '../../src/platform/tracing/timeline';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { VansModule } from '../support/vans.module';
import { withFeatures } from '../support/service/with-features';
import { judgeSlow } from './support/judge-slow';

const as = (requestId: string) => ({ headers: { 'x-request-id': requestId } });

async function rowOf({ app }: TestService, requestId: string): Promise<LoggedRequest> {
  let found: LoggedRequest | null = null;
  await until(async () => {
    await app.get(RequestLog).write();
    found = await app.get(DataSource).getRepository(LoggedRequest).findOneBy({ requestId });
    return found !== null;
  });
  return found as unknown as LoggedRequest;
}

async function timelineOf(service: TestService, requestId: string): Promise<TimelineView | null> {
  const { timeline } = await rowOf(service, requestId);
  return timeline ? (JSON.parse(timeline) as TimelineView) : null;
}

/** Names of the phases of the module and of its handler, in order. */
function ownPhases(phases: TimelineView['phases']): string[] {
  const own = phases.filter(({ name }) => /^(?:(?:guard|interceptor) Vans|handler$)/.test(name));
  return [...new Set(own.map(({ name }) => name))];
}

describeOneEngine('The timeline of a request', (engine) => {
  let service: TestService;
  const start = (environment: Record<string, string>) =>
    withFeatures({ VansModule }, () => startTestService(engine, environment));

  describe('in development', () => {
    beforeAll(async () => (service = await start({})));
    afterAll(() => service.stop());

    it('is kept for every request, with its steps, guards, pipes, handler and response in order', async () => {
      await service.fetch('/v1/vans/1', as('a-phases'));
      const { durationMs } = await rowOf(service, 'a-phases');
      const { phases } = (await timelineOf(service, 'a-phases')) as TimelineView;
      const names = phases.map(({ name }) => name);
      // The client of this test is on the same event loop, and may have kept the request waiting.
      expect(names.find((name) => name !== 'wait')).toBe('wire');
      expect(names.slice(-4)).toEqual(['guards', 'pipes', 'handler', 'response']);
      let end = phases[0]?.atMs ?? -1;
      for (const { atMs, ms } of phases) {
        // What took less than a microsecond is left out.
        expect(Math.abs(atMs - end)).toBeLessThan(0.02);
        end = atMs + ms;
      }
      expect(Math.abs(end - durationMs)).toBeLessThan(0.02);
    });

    it('names the guards and interceptors of an operation', async () => {
      await service.fetch('/v1/vans/guarded/1', as('a-guarded'));
      const { phases } = (await timelineOf(service, 'a-guarded')) as TimelineView;
      expect(ownPhases(phases)).toEqual(['guard VansGuard', 'interceptor VansInterceptor', 'handler']);
    });

    it('counts equal statements together, and names the line that ran them', async () => {
      await service.fetch('/v1/vans/7', as('a-many'));
      const { statements } = (await timelineOf(service, 'a-many')) as TimelineView;
      expect(statements).toEqual([
        {
          text: expect.stringMatching(/^SELECT .* FROM "pets" /) as string,
          count: 7,
          rows: 0,
          atMs: expect.any(Number) as number,
          spanMs: expect.any(Number) as number,
          ms: expect.any(Number) as number,
          place: expect.stringMatching(/^test\/support\/vans\.module\.ts:\d+$/) as string,
        },
      ]);
    });

    it('contains no value of a statement, not even a literal', async () => {
      const response = await service.fetch('/v1/vans/broken', as('a-broken'));
      expect(response.status).toBe(500);
      const { timeline } = await rowOf(service, 'a-broken');
      expect(timeline).not.toMatch(/secret|4711/);
      expect((await timelineOf(service, 'a-broken'))?.statements).toMatchObject([
        { text: 'SELEKT * FROM "no_such_van" WHERE "name" = ? AND "id" = ?', count: 1, failed: 1 },
      ]);
    });

    it('contains prepared statements with their numbers of rows', async () => {
      await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
      await service.fetch('/v1/pets?limit=3', as('a-list'));
      const { statements } = (await timelineOf(service, 'a-list')) as TimelineView;
      expect(statements.filter(({ text }) => text.includes('"pets"'))).toMatchObject([
        { count: 1, rows: 1, place: expect.stringMatching(/^src\/pets\//) as string },
      ]);
    });

    it('puts the number of its statements, if any, on the log line of the request', async () => {
      await service.fetch('/v1/vans/7', as('a-line'));
      await service.fetch('/v1/vans/0', as('a-none'));
      const lineOf = (requestId: string) =>
        service
          .log()
          .split('\n')
          .filter((line) => line.includes(`"requestId":"${requestId}"`))
          .map(
            (line) => JSON.parse(line) as { statements?: number; statementsMs?: number; durationMs: number },
          )[0];
      await until(() => lineOf('a-none') !== undefined);
      const { statements, statementsMs = 0, durationMs = 0 } = lineOf('a-line') ?? {};
      expect(statements).toBe(7);
      expect(statementsMs).toBeGreaterThan(0);
      expect(statementsMs).toBeLessThanOrEqual(durationMs);
      expect(lineOf('a-none')).not.toHaveProperty('statements');
    });
  });

  describe('in production', () => {
    let slow: TestService;
    beforeAll(async () => {
      service = await start({ NODE_ENV: 'production' });
      judgeSlow(service, () => false);
      slow = await start({ NODE_ENV: 'production' });
      judgeSlow(slow, () => true);
    });
    afterAll(async () => {
      await slow.stop();
      await service.stop();
    });

    it('is kept only for requests that failed or were slow', async () => {
      await service.fetch('/v1/vans/1', as('b-quick'));
      await service.fetch('/v1/vans/broken', as('b-broken'));
      expect(await timelineOf(service, 'b-quick')).toBeNull();
      expect((await timelineOf(service, 'b-broken'))?.statements).toHaveLength(1);
    });

    it('names the guards and interceptors of an operation', async () => {
      await service.fetch('/v1/vans/guarded/broken', as('b-guarded'));
      const { phases } = (await timelineOf(service, 'b-guarded')) as TimelineView;
      expect(ownPhases(phases)).toEqual(['guard VansGuard', 'interceptor VansInterceptor', 'handler']);
    });

    it('names the line of a statement that ran ten times, however fast', async () => {
      await slow.fetch('/v1/vans/200', as('b-loop'));
      const { statements } = (await timelineOf(slow, 'b-loop')) as TimelineView;
      expect(statements).toMatchObject([
        { count: 200, place: expect.stringContaining('vans.module.ts:') as string },
      ]);
    });

    it('names the line of a slow statement', async () => {
      const dataSource = slow.app.get(DataSource);
      const locked = Promise.withResolvers<void>();
      const isWaiting = Promise.withResolvers<void>();
      const holding = dataSource.manager.transaction(async (own) => {
        await own.query(
          engine === 'postgres' ? 'LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE' : 'SELECT 1 FROM "pets"',
        );
        locked.resolve();
        await isWaiting.promise;
      });
      await locked.promise;
      const begun = jest.spyOn(dataSource, 'createQueryRunner');
      const response = slow.fetch('/v1/vans/1', as('b-slow'));
      await until(() => begun.mock.calls.length > 0);
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 400);
      isWaiting.resolve();
      await Promise.all([response, holding]);
      for (const spy of [begun, clock]) spy.mockRestore();
      const { statements } = (await timelineOf(slow, 'b-slow')) as TimelineView;
      expect(statements).toMatchObject([
        { count: 1, place: expect.stringContaining('vans.module.ts:') as string },
      ]);
      expect(statements[0]?.ms).toBeGreaterThan(200);
    });
  });
});
