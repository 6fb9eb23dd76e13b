import { Sessions } from '../../../src/admin/console/sessions/sessions.service';
import { FrontDoor } from '../../../src/platform/http/front-door';
import { ManagementTelemetry } from '../../../src/platform/http/observers/management-telemetry';
import { RawConnection } from '../../support/http/raw-http';
import { startTestService } from '../../support/service/service';
import { until } from '../../support/until';
import { openConsole } from '../../support/service/console';
import { codesIn } from './support/said';

const AN_HOUR = 3_600_000;

it('A request below /admin gets a page when the management port is draining', async () => {
  const service = await startTestService('sqlite');
  const client = await openConsole(service, service.key);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join();
  const port = service.managementPort;
  const arrived = jest.spyOn(service.app.get(ManagementTelemetry), 'begin');
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.managementPort}\r\nCookie: ${cookie}\r\n\r\n`;

  // A request under way keeps each connection open.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const ofLineage = jest.spyOn(service.app.get(Sessions, { strict: false }), 'ofLineage');
  ofLineage.mockImplementation(() => held.then(() => []));
  const open = await Promise.all([RawConnection.open(port), RawConnection.open(port)]);
  for (const connection of open) connection.send(get('/admin/sessions'));
  await until(() => ofLineage.mock.calls.length === 2);
  arrived.mockClear();
  const drained = service.app.get(FrontDoor).drainManagement(AN_HOUR);
  const [page, probe] = open;
  page.send(get('/admin/keys?q=rex'));
  probe.send(get('/health'));
  await until(() => arrived.mock.calls.length === 2);
  release();
  for (const connection of open) expect((await connection.nextResponse())?.status).toBe(200);

  const late = await page.nextResponse();
  expect([late?.status, late?.headers.get('content-type')]).toEqual([503, ['text/html; charset=utf-8']]);
  expect(late?.headers.get('connection')).toEqual(['close']);
  expect(codesIn({ html: late?.body ?? '' })).toEqual(['service_unavailable']);
  expect(late?.body).toMatch(/href="\/admin\/keys\?q=rex">[\s\S]*Try again/);
  const other = await probe.nextResponse();
  expect([other?.status, JSON.parse(other?.body ?? '')]).toEqual([
    503,
    expect.objectContaining({ code: 'service_unavailable' }),
  ]);
  await drained;
  expect(service.log()).not.toMatch(/"level":[45]0/);
  ofLineage.mockRestore();
  await service.stop();
});
