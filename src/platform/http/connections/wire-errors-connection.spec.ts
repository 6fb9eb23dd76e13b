import { setImmediate as turn } from 'node:timers/promises';
import { fakeOnly } from '../../../../test/support/fake-only';
import { expectError, expectLast } from '../../../../test/support/http/error-responses';
import { exchange, RawConnection } from '../../../../test/support/http/raw-http';
import { until } from '../../../../test/support/until';
import { WireServer } from '../../../../test/support/http/wire-server';

const AN_HOUR = 3_600_000;
const HOST = 'Host: a\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const GET = `GET / HTTP/1.1\r\n${HOST}\r\n`;

let server: WireServer;
beforeEach(async () => (server = await WireServer.start()));
afterEach(() => server.stop());

describe('The server with late requests', () => {
  beforeEach(async () => {
    await server.stop();
    server = await WireServer.start({ headersMs: 60, requestMs: 120 });
  });

  async function callLateOnceServed(): Promise<void> {
    await until(() => server.served.length === 1);
    server.callLateAfter(1);
  }

  it.each([
    ['nothing', ''],
    ['half a header section', `GET / HTTP/1.1\r\n${HOST}`],
    [
      'half a body that only the listener waits for',
      `POST /body HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`,
    ],
    [
      'half a body of a request not answered yet',
      `POST /held HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`,
    ],
    ['half a chunked body', `POST /body HTTP/1.1\r\n${HOST}${CHUNKED}\r\n3\r\nabc\r\n`],
  ])('responds with 408 request_timeout once and closes after %s', async (_name, bytes) => {
    const responses = await exchange(server.port, bytes);
    server.release();
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 408, 'request_timeout');
  });

  it('rejects the promise of the body reader', async () => {
    server.callLateAfter(AN_HOUR);
    await exchange(server.port, `POST /body HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`, {
      after: callLateOnceServed,
    });
    await until(() => server.bodyErrors.length > 0);
    expect(server.bodyErrors).toEqual(['The body did not arrive.']);
  });

  it('responds once when the body of a refused request never ends', async () => {
    server.callLateAfter(AN_HOUR);
    const connection = await RawConnection.open(server.port);
    connection.send(`POST /refused HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`);
    expectError(await connection.nextResponse(), 404, 'not_found');
    server.callLateAfter(1);
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
  });

  it('responds with 408 to the next request of a connection that was served before', async () => {
    server.callLateAfter(AN_HOUR);
    const responses = await exchange(server.port, `${GET}GET / HT`, {
      responses: 2,
      after: callLateOnceServed,
    });
    expect(responses[0]?.body).toBe('served');
    expectLast(responses[1], 408, 'request_timeout');
  });
});

describe('The server with faults after a good request', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n', 400, 'bad_request'],
    ['too large headers', `GET / HTTP/1.1\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['CONNECT', `CONNECT a:80 HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ])('finishes the earlier response and then refuses %s', async (_name, bytes, status, code) => {
    const responses = await exchange(server.port, `GET /held HTTP/1.1\r\n${HOST}\r\n${bytes}`, {
      responses: 2,
      after: async (connection) => {
        await until(() => server.served.length === 1);
        connection.send(bytes);
        await turn();
        server.release();
      },
    });
    expect(responses).toHaveLength(2);
    expect(responses[0]).toMatchObject({ status: 200, body: 'held' });
    expectLast(responses[1], status, code);
  });

  it('refuses garbage that follows a finished response on the same connection', async () => {
    const responses = await exchange(server.port, `${GET}garbage\r\n\r\n`, { responses: 2 });
    expect(responses[0]?.body).toBe('served');
    expectLast(responses[1], 400, 'bad_request');
  });

  it('ignores what follows a request with Connection: close', async () => {
    const request = `GET /held HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const responses = await exchange(server.port, `${request}garbage\r\n\r\n`, {
      after: async () => {
        await until(() => server.served.length === 1);
        server.release();
      },
    });
    expect(responses).toMatchObject([{ status: 200, body: 'held', closed: true }]);
  });

  it('reports a fault once, however much follows it', async () => {
    const responses = await exchange(server.port, `GET /held HTTP/1.1\r\n${HOST}\r\n`, {
      responses: 2,
      after: async (connection) => {
        await until(() => server.served.length === 1);
        for (let packet = 0; packet < 20; packet += 1) {
          connection.send('garbage\r\n\r\n');
          await turn();
          await turn();
        }
        server.release();
      },
    });
    expect(responses.map((one) => one.status)).toEqual([200, 400]);
    expect(server.faults).toBe(1);
  });
});

describe('The server with faults within a body', () => {
  const bad = `${CHUNKED}\r\nno chunk\r\n`;

  it.each(['/body', '/held'])('responds with 400 once while %s is at work', async (path) => {
    const responses = await exchange(server.port, `POST ${path} HTTP/1.1\r\n${HOST}${bad}`);
    server.release();
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 400, 'bad_request');
  });

  it('responds with 431 to too large trailers', async () => {
    const trailers = `0\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`;
    const responses = await exchange(server.port, `POST /body HTTP/1.1\r\n${HOST}${CHUNKED}\r\n${trailers}`);
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 431, 'headers_too_large');
  });

  it('adds nothing to the response of a request that was answered without its body', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(`POST /refused HTTP/1.1\r\n${HOST}${bad}`);
    expectError(await connection.nextResponse(), 404, 'not_found');
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
  });
});

describe('The last response of a connection', () => {
  describe('reaches a client that is still sending a request', () => {
    // However long that takes: a server that stops to take it in would reset the connection.
    beforeEach(() => fakeOnly(['setTimeout', 'clearTimeout']));
    afterEach(() => jest.useRealTimers());

    // More than both kernels' buffers hold, so that the client cannot be done before the server reads.
    const length = 32_000_000;

    it.each([
      ['refused by the parser', `GET / HTTP/1.1\r\n${HOST}X : a\r\n\r\n`, 400, 'bad_request'],
      ['refused by its fields', `GET / HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n`, 400, 'bad_request'],
      [
        'refused by a reader that has paused it',
        `POST /too-large HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\n`,
        413,
        'payload_too_large',
      ],
    ])('%s', async (_name, bytes, status, code) => {
      const responses = await exchange(server.port, bytes, {
        after: (connection) => connection.sendBeforeReading(Buffer.alloc(length, 'a')),
      });
      expect(responses).toHaveLength(1);
      expectLast(responses[0], status, code);
    });
  });

  it.each([
    ['refused for its Host', 'GET /1 HTTP/1.1\r\n\r\n', []],
    [
      'refused while the client waits for 100 Continue',
      `POST /refused HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1\r\n\r\na`,
      ['POST /refused'],
    ],
  ])('is the last, and nothing is carried out after a request %s', async (_name, bytes, served) => {
    const responses = await exchange(server.port, `${bytes}POST /2 HTTP/1.1\r\n${HOST}\r\n`);
    expect(responses).toHaveLength(1);
    expect(server.served).toEqual(served);
  });

  it.each([
    ['malformed', 'garbage\r\n\r\n'],
    ['without Host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('ends the connection even though the client never closes it: %s', async (_name, bytes) => {
    const connection = await RawConnection.open(server.port);
    connection.send(bytes);
    expectError(await connection.nextResponse(), 400, 'bad_request');
    await until(async () => (await server.connections()) === 0);
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
  });
});

describe('Clients that hang up', () => {
  it.each([
    ['in the header section', 'GET / HT', 0],
    ['in the body', `POST /body HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`, 1],
    ['before the response', `GET /held HTTP/1.1\r\n${HOST}\r\n`, 1],
    ['after CONNECT', `CONNECT a:80 HTTP/1.1\r\n${HOST}\r\n`, 0],
  ])('leave the server serving others: %s', async (_name, bytes, served) => {
    const connection = await RawConnection.open(server.port);
    connection.send(bytes);
    await until(() => server.served.length === served);
    connection.reset();
    await turn();
    server.release();
    expect((await exchange(server.port, GET))[0]?.body).toBe('served');
  });
});
