import { RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { ask } from './support/request';
import { Scrape } from './support/scrape';

const LIMIT = 3;
const GET = 'GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n';
const BODY = '{"name":"Rex","categoryId":1}';

describe('A service with as many connections as it accepts', () => {
  let service: TestService;
  let open: RawConnection[];
  beforeEach(async () => {
    service = await startTestService('sqlite', {
      MAX_CONNECTIONS: String(LIMIT),
      // Longer than the test waits: none of them ends by itself.
      KEEP_ALIVE_TIMEOUT: '600s',
    });
    open = await Promise.all(Array.from({ length: LIMIT }, () => RawConnection.open(service.port)));
    for (const connection of open) connection.send(GET);
    for (const connection of open) expect(await connection.nextResponse()).toMatchObject({ status: 200 });
  });
  afterEach(async () => {
    for (const connection of open) connection.destroy();
    await service.stop();
  });

  it('closes another one, and counts it', async () => {
    const refused = await RawConnection.open(service.port);
    // Closed without a response, by a reset at times.
    await expect(refused.nextResponse().catch(() => undefined)).resolves.toBeUndefined();
    const scrape = await Scrape.of(service);
    expect(scrape.values('petstore_requests_shed_total', 'reason')).toMatchObject({ connections: 1 });
  });

  it('ends those without a request to make room, and finishes the request of the other', async () => {
    const [busy] = open as [RawConnection, ...RawConnection[]];
    busy.send(
      `POST /v1/pets HTTP/1.1\r\nHost: petstore.test\r\nAuthorization: Bearer ${service.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`,
    );
    const isServed = () =>
      ask(service, { target: '/health/live' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isServed);
    busy.send(BODY);
    expect(await busy.nextResponse()).toMatchObject({ status: 201 });
  });
});
