import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';
import { RawConnection, type RawResponse } from '../support/http/raw-http';
import { freePort } from '../support/processes/free-port';
import type { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { haproxySendsFiles } from './support/balanced';
import { DIFFERENCES } from './support/differences';
import { launchCaddy, launchHaproxy, launchNginx, type Place } from './support/proxies';
import { PROJECT } from './support/dockerfile';

const HOST = '127.0.0.1';
const WAITS = 'waits for the body';
const page = readFileSync(join(PROJECT, 'docs/operations/behind-a-proxy.md'), 'utf8');

/** The cells of the page's table, by the title of the row. */
const rows = new Map(
  [...page.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter(([title]) => DIFFERENCES.some((each) => each.title === title))
    .map(([title = '', ...cells]) => [title, cells]),
);

/** What the page says of a response. */
function told({ status, headers, body }: RawResponse): string {
  if (status < 300) return `served, ${status}`;
  const isOurs = headers.get('content-type')?.[0]?.startsWith('application/json');
  return isOurs ? `${status} \`${(JSON.parse(body) as { code: string }).code}\`` : `${status}, its own text`;
}

interface Front {
  readonly name: string;
  readonly launch?: (place: Place) => Promise<ListeningProgram>;
}

const FRONTS: readonly Front[] = [
  { name: 'the service alone' },
  { name: 'HAProxy', launch: launchHaproxy },
  { name: 'nginx', launch: launchNginx },
  { name: 'Caddy', launch: launchCaddy },
];

it('is about the rows of the page', () => {
  expect([...rows.keys()]).toEqual(DIFFERENCES.map(({ title }) => title));
});

describe.each(FRONTS.map((front, column) => ({ ...front, column })))('$name', ({ launch, column }) => {
  let key: string;
  let port: number;
  let proxy: ListeningProgram | undefined;

  beforeAll(async () => {
    const folder = makeFolder();
    const node = await ServiceProcess.start({ TRUST_PROXY: 'loopback' }, { cwd: folder });
    const words = ['--name', 'client', '--scopes', 'pets:read,pets:write', '--json'];
    ({ key } = JSON.parse(await runCli({}, folder, 'keys', 'create', ...words)) as { key: string });
    port = launch ? await freePort(HOST) : node.port;
    const place = { folder, port, scheme: 'http', targets: [node.port, node.port] } as const;
    proxy = await launch?.(place);
    await until(async () => (await fetch(`http://${HOST}:${port}${prefix}/health/ready`)).status === 200);
  });
  afterAll(async () => {
    await proxy?.kill();
    await endServiceProcesses();
  });

  const prefix = launch ? '/petstore' : '';

  it.each(DIFFERENCES)('does with $title what the page says', async ({ title, bytes }) => {
    const expected = rows.get(title)?.[column];
    const connection = await RawConnection.open(port);
    connection.send(bytes(key).replace('/petstore', prefix));
    if (expected === WAITS) {
      await fetch(`http://${HOST}:${port}${prefix}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
      expect(connection.unread()).toBe('');
    } else {
      const response = (await connection.nextResponse()) as RawResponse;
      const [name, old = expected] = expected?.split(', before 3.3 ') ?? [];
      expect(told(response)).toBe(haproxySendsFiles() ? name : old);
    }
    connection.destroy();
  });

  it('refuses a body that becomes too large, also to a client that sends on before it reads', async () => {
    const connection = await RawConnection.open(port);
    const asked = `POST ${prefix}/v1/pets HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${key}\r\n`;
    connection.send(`${asked}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    for (let sent = 0; sent < 60; sent++) await connection.sendBeforeReading(chunk);
    connection.send('0\r\n\r\n');
    expect(told((await connection.nextResponse()) as RawResponse)).toBe('413 `payload_too_large`');
    connection.destroy();
  });
});
