import { Controller, Get, Module } from '@nestjs/common';
import { KEPT_FOR_HEALTH, MANAGEMENT_CONNECTIONS } from '../../src/platform/http/adapter';
import { OnManagementPort } from '../../src/platform/http/management/on-management-port.decorator';
import { Public } from '../../src/platform/security/access.decorators';
import { RawConnection, type RawResponse } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { until } from '../support/until';
import { expectContractError } from './support/expect-error';
import { ask, field } from './support/request';

const underWay = new Set<() => void>();

@OnManagementPort()
@Public()
@Controller('held')
class HeldController {
  @Get()
  async hold(): Promise<string> {
    await new Promise<void>((resolve) => underWay.add(resolve));
    return 'held';
  }
}

@Module({ controllers: [HeldController] })
class HeldModule {}

describe('The connections of the management port', () => {
  let service: TestService;
  let open: RawConnection[];
  beforeAll(async () => {
    const settings = { MANAGEMENT_ALLOWED_HOSTS: 'petstore.test' };
    service = await withFeatures({ HeldModule }, () => startTestService('sqlite', settings));
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    open = [];
  });
  afterEach(() => {
    for (const connection of open) connection.destroy();
    for (const end of underWay) end();
    underWay.clear();
  });

  const get = (target: string): Promise<RawResponse> =>
    ask({ port: service.managementPort, key: '' }, { target, key: null });

  it.each([
    ['nothing', ''],
    ['half of a head', 'GET /metrics HTTP/1.1\r\nHost: a\r\n'],
    [
      'half of a form',
      'POST /admin/back-channel-logout HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na=',
    ],
    [
      'requests with a body that nobody reads',
      'GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
    ],
  ])('close, the oldest first, where strangers have sent %s, so that others are served', async (_, bytes) => {
    for (let i = 0; i < 2 * MANAGEMENT_CONNECTIONS; i++) {
      const connection = await RawConnection.open(service.managementPort);
      connection.send(bytes);
      open.push(connection);
    }
    for (const target of ['/health/live', '/metrics']) {
      expect((await get(target)).status).toBe(200);
    }
  });

  it('serve health alone in the places that are kept, when all others have a request under way', async () => {
    const responses = Array.from({ length: MANAGEMENT_CONNECTIONS - KEPT_FOR_HEALTH }, () => get('/held'));
    await until(() => underWay.size === responses.length);
    for (const target of ['/health', '/health/live', '/health/ready?a=b']) {
      expect((await get(target)).status).toBe(200);
    }
    const refused = await get('/metrics');
    expectContractError(refused, { status: 503, code: 'overloaded' });
    expect(field(refused, 'connection')).toBe('close');
    for (const end of underWay) end();
    expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get('/metrics')).status).toBe(200);
  });
});
