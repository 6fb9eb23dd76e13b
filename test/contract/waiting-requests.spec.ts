import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LoggedRequest } from '../../src/platform/request-log/logged-request.entity';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { Public } from '../../src/platform/security/access.decorators';
import type { TimelineView } from '../../src/platform/tracing/timeline';
import { describeEachEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { until } from '../support/until';
import { growthBy, Scrape } from './support/scrape';

/** For how long the event loop is blocked, by its clock: a request that comes at the beginning waits so long at least. */
const BLOCK_MS = 1_400;

/** How much later it is than the clock of the machine says, in milliseconds. */
let later = 0;

/** What happens at the beginning of the block. */
let meanwhile = () => {};

function block(): void {
  meanwhile();
  later += BLOCK_MS;
}

@Public()
@Controller('blocks')
class BlocksController {
  @Get()
  get(): string[] {
    block();
    return [];
  }

  @Get('slow')
  async slow(): Promise<string[]> {
    await turn();
    later += BLOCK_MS;
    return [];
  }
}

@Module({ controllers: [BlocksController] })
class BlocksModule {}

interface Line {
  readonly requestId: string;
  readonly durationMs: number;
  readonly waitMs?: number;
}

describeEachEngine('A request that arrives while the event loop is blocked', (engine) => {
  let service: TestService;
  let socket: Socket;

  beforeAll(async () => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + later);
    service = await withFeatures({ BlocksModule }, () => startTestService(engine));
  });
  afterAll(async () => {
    await service.stop();
    jest.restoreAllMocks();
  });
  beforeEach(async () => {
    socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    // The service has taken the connection when it responds to a later one.
    await fetch(`${service.url}/v1/nothing`);
  });
  afterEach(() => {
    meanwhile = () => {};
    socket.destroy();
  });

  const get = (requestId: string, path = '/v1/nothing') =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nX-Request-Id: ${requestId}\r\n\r\n`;

  /** Sends in the handler of another request, which then blocks. */
  async function sendWhileBlocked(text: string): Promise<void> {
    meanwhile = () => void socket.write(text);
    const responded = once(socket, 'data');
    await fetch(`${service.url}/v1/blocks`);
    await responded;
  }

  const lineOf = (requestId: string) =>
    service
      .log()
      .split('\n')
      .filter((text) => text.includes(`"requestId":"${requestId}"`))
      .map((text) => JSON.parse(text) as Line)[0];

  async function line(requestId: string): Promise<Line> {
    await until(() => lineOf(requestId) !== undefined);
    return lineOf(requestId) as Line;
  }

  async function row(requestId: string): Promise<LoggedRequest> {
    let found: LoggedRequest | null = null;
    await until(async () => {
      await service.app.get(RequestLog).write();
      found = await service.app.get(DataSource).getRepository(LoggedRequest).findOneBy({ requestId });
      return found !== null;
    });
    return found as unknown as LoggedRequest;
  }

  it('has its wait in its duration and separately, in the log and in the request log', async () => {
    await sendWhileBlocked(get('a-waited'));
    for (const { durationMs, waitMs = 0 } of [await line('a-waited'), await row('a-waited')]) {
      expect(waitMs).toBeGreaterThanOrEqual(BLOCK_MS);
      expect(durationMs).toBeGreaterThanOrEqual(waitMs ?? 0);
    }
  });

  it('has its wait in the request log when it came to the management port', async () => {
    socket.destroy();
    socket = connect(service.managementPort, '127.0.0.1');
    await once(socket, 'connect');
    await fetch(`${service.managementUrl}/health/live`);
    await sendWhileBlocked(get('a-managed', '/health/live'));
    expect((await row('a-managed')).waitMs).toBeGreaterThanOrEqual(BLOCK_MS);
  });

  it('has its wait at the beginning of its timeline', async () => {
    await sendWhileBlocked(get('a-timeline'));
    const { timeline, waitMs } = await row('a-timeline');
    const { phases } = JSON.parse(timeline as string) as TimelineView;
    expect(phases[0]).toMatchObject({ name: 'wait', atMs: 0 });
    expect(phases[0]?.ms).toBeGreaterThanOrEqual(waitMs as number);
    expect(phases[1]?.name).toBe('wire');
  });

  it('has its wait when a timer, and not a request, has blocked the loop', async () => {
    const responded = once(socket, 'data');
    setTimeout(() => {
      socket.write(get('a-timer'));
      block();
    }, 5);
    await responded;
    expect((await line('a-timer')).waitMs).toBeGreaterThanOrEqual(BLOCK_MS);
  });

  it('has its wait in the metrics, in its duration and separately', async () => {
    const labels = ['http_request_method', 'http_route', 'http_response_status_code', 'le'];
    const seconds = 'http_server_request_duration_seconds_bucket';
    const grown = await growthBy(service, () => sendWhileBlocked(get('a-metric')), seconds, ...labels);
    expect(grown).toMatchObject({ 'GET  404 +Inf': 1 });
    expect(grown).not.toHaveProperty(['GET  404 0.25']);
    const waited = async () => (await Scrape.of(service)).value('petstore_request_wait_seconds_sum') ?? 0;
    const before = await waited();
    await sendWhileBlocked(get('a-metric-apart'));
    expect((await waited()) - before).toBeGreaterThanOrEqual(BLOCK_MS / 1_000);
  });

  it.each([
    ['blocks', 'a-second'],
    ['blocks/slow', 'a-third'],
  ])(
    'counts the request before it as its wait when it is pipelined after /v1/%s',
    async (path, requestId) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let received = '';
      socket.on('data', (data) => {
        received += data.toString();
        if (received.split('HTTP/1.1 ').length === 3) resolve();
      });
      socket.write(get('a-first', `/v1/${path}`) + get(requestId));
      await promise;
      // Both were read at once, the second a moment after the first had begun.
      const { waitMs = 0, durationMs } = await line(requestId);
      expect(waitMs).toBeGreaterThan(BLOCK_MS * 0.9);
      expect(durationMs).toBeGreaterThanOrEqual(waitMs);
    },
  );

  it('counts as a request without a response when its client has left by then', async () => {
    const grown = await growthBy(
      service,
      async () => {
        meanwhile = () => {
          socket.write(get('a-gone', '/v1/pets'));
          socket.resetAndDestroy();
        };
        await fetch(`${service.url}/v1/blocks`);
        await line('a-gone');
      },
      'http_server_request_duration_seconds_count',
      'http_response_status_code',
    );
    expect(grown).toEqual({ '200': 1, '': 1 });
  });
});
