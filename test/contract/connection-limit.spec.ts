import { RawConnection } from '../support/http/raw-http';
import { Scrape } from './support/scrape';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { ask } from './support/request';

const LIMIT = 3;
const GET = 'GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n';

describe('A service with as many connections as it accepts', () => {
  let service: TestService;
  let open: RawConnection[];
  beforeEach(async () => {
    service = await startTestService('sqlite', { MAX_CONNECTIONS: String(LIMIT) });
    open = await Promise.all(Array.from({ length: LIMIT }, () => RawConnection.open(service.port)));
    for (const connection of open) connection.send(GET);
    for (const connection of open) expect(await connection.nextResponse()).toMatchObject({ status: 200 });
  });
  afterEach(async () => {
    for (const connection of open) connection.destroy();
    await service.stop();
  });

  it('closes another one, counts it, and goes on serving those', async () => {
    const refused = await RawConnection.open(service.port);
    // Closed without a response, by a reset at times.
    await expect(refused.nextResponse().catch(() => undefined)).resolves.toBeUndefined();
    const scrape = await Scrape.of(service);
    expect(scrape.values('petstore_requests_shed_total', 'reason')).toMatchObject({ connections: 1 });
    for (const connection of open) {
      connection.send(GET);
      expect(await connection.nextResponse()).toMatchObject({ status: 200 });
    }
  });

  it('accepts another one when one of them has ended', async () => {
    open.pop()?.destroy();
    const isServed = () =>
      ask(service, { target: '/health/live' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await expect(until(isServed)).resolves.toBeUndefined();
  });
});
