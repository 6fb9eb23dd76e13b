import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { makeFolder } from '../support/folders';
import { RawConnection } from '../support/http/raw-http';
import { freePort } from '../support/processes/free-port';
import type { ListeningProgram } from '../support/processes/listening-program';
import { until } from '../support/until';
import { HOST } from './support/balanced';
import { block, launchHaproxy } from './support/proxies';

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
/** The key of a WebSocket and what accepts it, those of RFC 6455, section 1.3. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';
/** More than the places of health and pages at two processes. */
const CONNECTIONS = 201;

describe('The balancer with the lines for gateways', () => {
  const sockets: Socket[] = [];
  const node = createServer((_, response) => response.end('{}'));
  let balancer: ListeningProgram;
  let port: number;

  beforeAll(async () => {
    node.on('upgrade', (_, socket: Socket) => {
      sockets.push(socket);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}Sec-WebSocket-Accept: ${ACCEPT}\r\n\r\n`);
    });
    node.listen(0, HOST);
    await once(node, 'listening');
    const target = (node.address() as AddressInfo).port;
    port = await freePort(HOST);
    balancer = await launchHaproxy({
      folder: makeFolder(),
      port,
      scheme: 'http',
      targets: [target, target],
      change: (text) => text.replace('  default_backend pages\n', (line) => `${line}${block('haproxy')}\n`),
    });
    await until(async () => (await fetch(`http://${HOST}:${port}/health/ready`)).status === 200);
  });
  afterAll(async () => {
    await balancer.kill();
    for (const socket of sockets) socket.destroy();
    node.close();
    node.closeAllConnections();
  });

  it.each(['/socket.io/?EIO=4&transport=websocket', '/chat'])(
    'has places for health and pages while two hundred WebSockets of %s are open',
    async (target) => {
      const clients: RawConnection[] = [];
      for (let opened = 0; opened < CONNECTIONS; opened++) {
        const client = await RawConnection.open(port);
        clients.push(client);
        client.send(
          `GET /petstore${target} HTTP/1.1\r\nHost: shop.example\r\n${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`,
        );
        await until(() => client.unread().startsWith('HTTP/1.1 101'));
      }
      expect((await fetch(`http://${HOST}:${port}/health/live`)).status).toBe(200);
      for (const client of clients) client.destroy();
    },
  );

  it('passes on what GraphQL is asked', async () => {
    const asked = await fetch(`http://${HOST}:${port}/graphql`, { method: 'POST', body: '{}' });
    expect(asked.status).toBe(200);
  });
});
