import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsConnections } from '../support/databases/accepts-connections';
import { freePort } from '../support/processes/free-port';
import { RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

/** That of the settings, which processes take here that are given none. */
const DEFAULT_PORT = '3001';
const WARNING =
  'Port 3001 on 127.0.0.1 is in use, so the management port uses another; choose one with MANAGEMENT_PORT.';

let folders: string[] = [];
const listeners: Server[] = [];

afterEach(async () => {
  await endServiceProcesses();
  for (const listener of listeners.splice(0)) listener.close();
  for (const made of folders) rmSync(made, { recursive: true });
  folders = [];
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'petstore-management-'));
  folders.push(made);
  return made;
}

/** Makes sure that a process listens on a port, this one or another. */
async function occupy(port: number): Promise<number> {
  const listener = createServer();
  try {
    await once(listener.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    expect(error).toMatchObject({ code: 'EADDRINUSE' });
    return port;
  }
  listeners.push(listener);
  return (listener.address() as AddressInfo).port;
}

it('The management port serves until the public one has drained', async () => {
  const service = await ServiceProcess.start({}, { cwd: folder() });
  const busy = await RawConnection.open(service.port);
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.printedKey}\r\n`;
  busy.send(`${head}Content-Type: application/json\r\nContent-Length: 29\r\n\r\n{"name":"Rex",`);
  const metrics = async () => (await fetch(`${service.managementUrl}/metrics`)).text();
  await until(async () => (await metrics()).includes('\nhttp_server_active_requests 1\n'));

  const ended = service.kill('SIGTERM');
  await until(async () => !(await acceptsConnections('127.0.0.1', service.port)));
  expect(await metrics()).toContain('\npetstore_ready 0\n');
  const health = await fetch(`${service.managementUrl}/health`);
  expect([health.status, await health.json()]).toEqual([
    503,
    expect.objectContaining({ status: 'unavailable', lifecycle: 'draining' }),
  ]);

  busy.send('"categoryId":1}');
  expect(await busy.nextResponse()).toMatchObject({ status: 201 });
  busy.destroy();
  expect(await ended).toEqual({ code: 0, signal: null });
});

describe('A management port that is already in use', () => {
  it('stops the start with one sentence when it was chosen', async () => {
    const port = await occupy(0);
    const service = new ServiceProcess({ MANAGEMENT_PORT: String(port) }, { cwd: folder() });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
      `Port ${port} on 127.0.0.1 is in use; stop what listens there or choose another with MANAGEMENT_PORT.`,
      '',
    ]);
    expect(service.stdout).toBe('');
  });

  it('stops the start when it was chosen, even if it is the default', async () => {
    await occupy(Number(DEFAULT_PORT));
    const service = new ServiceProcess({ MANAGEMENT_PORT: DEFAULT_PORT }, { cwd: folder() });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toContain('choose another with MANAGEMENT_PORT.\n');
  });

  it('is replaced by a free one with a warning when the operator did not choose it', async () => {
    await occupy(Number(DEFAULT_PORT));
    const service = await ServiceProcess.start({ MANAGEMENT_PORT: '' }, { cwd: folder() });
    expect(service.warnings()).toEqual([
      expect.objectContaining({ msg: WARNING, management: service.managementUrl }),
    ]);
    expect(service.managementUrl).not.toContain(`:${DEFAULT_PORT}`);
    expect((await fetch(`${service.managementUrl}/metrics`)).status).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('lets two services run on one machine that differ only in PORT', async () => {
    const services = [];
    for (let i = 0; i < 2; i++) {
      services.push(await ServiceProcess.start({ MANAGEMENT_PORT: '' }, { cwd: folder() }));
    }
    const urls = services.flatMap(({ url, managementUrl }) => [url, managementUrl]);
    expect(new Set(urls).size).toBe(4);
    for (const { managementUrl } of services) {
      expect((await fetch(`${managementUrl}/metrics`)).status).toBe(200);
    }
  });

  it('stops the start when it is the same as the public port', async () => {
    const port = String(await freePort('127.0.0.1'));
    const service = new ServiceProcess({ PORT: port, MANAGEMENT_PORT: port }, { cwd: folder() });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toContain('choose another with MANAGEMENT_PORT.\n');
  });
});
