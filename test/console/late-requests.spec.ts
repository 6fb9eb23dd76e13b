import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Sessions } from '../../src/admin/console/sessions/sessions.service';
import { serverOptions } from '../../src/platform/errors/server-options';
import { attachWireErrors } from '../../src/platform/errors/wire-errors';
import { stoppingError } from '../../src/platform/http/lifecycle';
import { OpenConnections } from '../../src/platform/http/open-connections';
import type { Listener } from '../../src/platform/management/listener';
import { RawConnection } from '../support/raw-http';
import { startTestService } from '../support/service';
import { until } from '../support/until';
import { openConsole } from './support/console';

const AN_HOUR = 3_600_000;

it('A request that comes when the management port drains is answered by a page, below /admin alone', async () => {
  const service = await startTestService('sqlite');
  const client = await openConsole(service, service.key);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join();
  // The application of the service behind a server that the test can tell to drain.
  const server = createServer(
    serverOptions({ headersMs: AN_HOUR, requestMs: AN_HOUR }),
    service.app.getHttpAdapter().getInstance(),
  );
  const connections = new OpenConnections(server);
  let arrived = 0;
  attachWireErrors(server, stoppingError, {
    begin: (request: IncomingMessage & { listener?: Listener }, response, previous) => {
      request.listener = 'management';
      connections.begin(request, response, previous);
      arrived++;
    },
    refuse: () => undefined,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
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
  const drained = connections.drain(AN_HOUR);
  const [page, probe] = open;
  page.send(get('/admin/keys?q=rex'));
  probe.send(get('/health'));
  await until(() => arrived === 4);
  release();
  for (const connection of open) expect((await connection.answer())?.status).toBe(200);

  const late = await page.answer();
  expect([late?.status, late?.headers.get('content-type')]).toEqual([503, ['text/html; charset=utf-8']]);
  expect(late?.headers.get('connection')).toEqual(['close']);
  expect(late?.body).toContain('The service is stopping');
  expect(late?.body).toMatch(/href="\/admin\/keys\?q=rex">[\s\S]*Try again/);
  const other = await probe.answer();
  expect([other?.status, JSON.parse(other?.body ?? '')]).toEqual([
    503,
    expect.objectContaining({ code: expect.any(String) }),
  ]);
  await drained;
  expect(service.log()).not.toContain('The service is stopping');
  ofLineage.mockRestore();
  await service.stop();
});
