import { once } from 'node:events';
import { Database } from '../../src/platform/database/database';
import { fakeOnly } from '../support/fake-only';
import { type RawResponse, RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { expectContractError, type ExpectedError } from './support/expect-error';
import { field } from './support/request';

const HOST = 'Host: petstore.test\r\n';
const LATE = { status: 503, code: 'service_unavailable', names: ['stopping'] };
const MALFORMED = { status: 400, code: 'bad_request' };

/** What comes late on connections that were kept, and what must be answered: a table in the order of judgement. */
const REQUESTS: readonly [name: string, bytes: (key: string) => string, expected: ExpectedError][] = [
  ['noise', () => 'nonsense\r\n\r\n', MALFORMED],
  ['two Hosts', () => `GET /v1/pets HTTP/1.1\r\n${HOST}${HOST}\r\n`, MALFORMED],
  ['CONNECT to a path', () => `CONNECT /v1/pets HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  [
    'too large headers',
    () => `GET /v1/pets HTTP/1.1\r\n${HOST}X-Large: ${'a'.repeat(17_000)}\r\n\r\n`,
    { status: 431, code: 'headers_too_large' },
  ],
  [
    'an expectation the service does not meet',
    () => `GET /v1/pets HTTP/1.1\r\n${HOST}Expect: tea\r\n\r\n`,
    { status: 417, code: 'expectation_failed' },
  ],
  ['a list', (key) => `GET /v1/pets HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\n\r\n`, LATE],
  [
    'a creation whose body waits to be asked for',
    (key) =>
      `POST /v1/pets HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 30\r\nExpect: 100-continue\r\n\r\n`,
    LATE,
  ],
  ['HEAD', () => `HEAD /v1/pets HTTP/1.1\r\n${HOST}\r\n`, { ...LATE, head: true }],
  ['a target of 8,001 bytes', () => `GET /${'a'.repeat(8_000)} HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['a path that is no UTF-8', () => `GET /%ff HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['an unknown path', () => `GET /v1/none HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['a method the path does not support', () => `DELETE /v1/pets HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['CONNECT to an authority', () => `CONNECT a.test:443 HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['OPTIONS', () => `OPTIONS /v1/pets HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['OPTIONS *', () => `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['no key', () => `GET /v1/pets HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['the question whether it is ready', () => `GET /health/ready HTTP/1.1\r\n${HOST}\r\n`, LATE],
  ['the question whether it lives', () => `GET /health/live HTTP/1.1\r\n${HOST}\r\n`, LATE],
];

interface LastResponse {
  readonly response: RawResponse;
  /** Whether the service closed the connection after it. */
  readonly closed: boolean;
}

describe('A service that is stopping', () => {
  let service: TestService;
  /** By name, what was answered on connections that had served a request before. */
  const answered = new Map<string, LastResponse>();
  /** The responses on a connection that was busy, and whether it was closed after them. */
  let pipelined: (RawResponse | undefined)[];
  let log = '';

  beforeAll(async () => {
    service = await startTestService('sqlite');
    const connections = await Promise.all(REQUESTS.map(() => keptConnection()));
    const { busy, release } = await busyConnection();

    // No connection ends before what comes late on it has been read.
    fakeOnly(['setTimeout', 'clearTimeout']);
    const stopped = service.stop();
    await Promise.all(
      REQUESTS.map(async ([name, bytes, { head }], index) => {
        const connection = connections[index] as RawConnection;
        connection.send(Buffer.from(bytes(service.key), 'latin1'));
        answered.set(name, await lastResponse(connection, head));
      }),
    );
    busy.send(`GET /v1/pets HTTP/1.1\r\n${HOST}\r\nGET /v1/pets HTTP/1.1\r\n${HOST}\r\n`);
    await once(service.app.getHttpServer(), 'request');
    release();
    pipelined = [await busy.nextResponse(), await busy.nextResponse(), await busy.nextResponse()];
    busy.destroy();
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    await stopped;
    log = service.log();
  });

  async function keptConnection(): Promise<RawConnection> {
    const connection = await RawConnection.open(service.port);
    connection.send(`GET /health/live HTTP/1.1\r\n${HOST}\r\n`);
    expect(field((await connection.nextResponse()) as RawResponse, 'connection')).toBe('keep-alive');
    return connection;
  }

  /** A connection whose request waits for a transaction of another client. */
  async function busyConnection(): Promise<{ busy: RawConnection; release: () => void }> {
    // The key is known then, and judging it takes no query.
    expect((await service.fetch('/v1/pets?limit=1')).status).toBe(200);
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const database = service.app.get(Database);
    void database.transaction(async () => {
      await database.dataSource.query('SELECT 1');
      begin();
      await isReleased;
    });
    await hasBegun;
    const busy = await RawConnection.open(service.port);
    busy.send(`GET /v1/pets?limit=2 HTTP/1.1\r\n${HOST}Authorization: Bearer ${service.key}\r\n\r\n`);
    await once(service.app.getHttpServer(), 'request');
    return { busy, release };
  }

  async function lastResponse(connection: RawConnection, head = false): Promise<LastResponse> {
    const response = (await connection.nextResponse(head)) as RawResponse;
    const closed = (await connection.nextResponse()) === undefined;
    connection.destroy();
    return { response, closed };
  }

  it.each(REQUESTS)('responds to a late request: %s', (name, _bytes, expected) => {
    const { response, closed } = answered.get(name) as LastResponse;
    expectContractError(response, expected);
    expect(field(response, 'connection')).toBe('close');
    expect(field(response, 'retry-after')).toBe(expected.status === 503 ? '1' : undefined);
    expect(closed).toBe(true);
  });

  it('responds to a running request, then to one late request behind it, and closes', () => {
    const [running, late, further] = pipelined;
    expect(running).toMatchObject({ status: 200, body: '[]' });
    expectContractError(late as RawResponse, LATE);
    expect(field(late as RawResponse, 'connection')).toBe('close');
    expect(further).toBeUndefined();
  });

  it('logs neither as a fault, and logs the beginning and the end of its stop', () => {
    expect(log.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([]);
    expect(log).toContain('The service is stopping.');
    expect(log).toContain('The service has stopped.');
  });
});
