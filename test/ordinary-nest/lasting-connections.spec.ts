import * as features from '../../src/features';
import { RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { LastingQueriesModule } from './gateways.module';

const GET = 'GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n';
const HANDSHAKE = [
  'GET /graphql HTTP/1.1',
  'Host: petstore.test',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('A connection by which queries of GraphQL come', () => {
  let service: TestService;
  const open: RawConnection[] = [];
  beforeAll(async () => {
    service = await startTestService(
      'sqlite',
      // Longer than the test waits: no connection ends by itself.
      { MAX_CONNECTIONS: '3', KEEP_ALIVE_TIMEOUT: '600s' },
      { features: { ...features, LastingQueriesModule } },
    );
  });
  afterAll(async () => {
    for (const connection of open) connection.destroy();
    await service.stop();
  });

  const connect = async (bytes: string) => {
    const connection = await RawConnection.open(service.port);
    open.push(connection);
    connection.send(bytes);
    return { connection, status: (await connection.nextResponse())?.status };
  };

  it('makes no room for others once a key was shown, though it is idle', async () => {
    const handshake = [...HANDSHAKE, `Authorization: Bearer ${service.key}`, '', ''].join('\r\n');
    const { connection, status } = await connect(handshake);
    expect(status).toBe(101);
    connection.send('mutation { say(text: "hay") }');
    await until(() => connection.unread().includes('"say":"hay"'));
    for (let i = 0; i < 2; i++) expect((await connect(GET)).status).toBe(200);
    await until(() =>
      connect(GET)
        .then(({ status: served }) => served === 200)
        .catch(() => false),
    );
    connection.send('{ hello }');
    await until(() => connection.unread().includes('"hello":"hello"'));
  });

  it('has queries and subscriptions see the rows of its client', async () => {
    const handshake = [...HANDSHAKE, `Authorization: Bearer ${service.key}`, '', ''].join('\r\n');
    const { connection } = await connect(handshake);
    const { keyId, lineageId } = service.principal;
    connection.send('{ whoami }');
    await until(() => connection.unread().includes('"whoami"'));
    expect(connection.unread()).toContain(`"whoami":"${keyId} ${lineageId}"`);
    connection.send('subscription { changes }');
    await until(() => connection.unread().includes('"changes"'));
    expect(connection.unread()).toContain(`"changes":"a chat of ${lineageId}, for ${lineageId}"`);
  });
});
