import { setImmediate as turn } from 'node:timers/promises';
import { expectError, expectLast } from '../../../../test/support/http/error-responses';
import { exchange, RawConnection } from '../../../../test/support/http/raw-http';
import { until } from '../../../../test/support/until';
import { WIRE_ALLOW, WireServer } from '../../../../test/support/http/wire-server';

const HOST = 'Host: a\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const GET = `GET / HTTP/1.1\r\n${HOST}\r\n`;

let server: WireServer;
beforeEach(async () => (server = await WireServer.start()));
afterEach(() => server.stop());

describe('The server with malformed requests', () => {
  it.each([
    ['an unknown method', `FOO / HTTP/1.1\r\n${HOST}\r\n`],
    ['a method in lower case', `get / HTTP/1.1\r\n${HOST}\r\n`],
    ['a TLS handshake', '\x16\x03\x01\x00\xc8\x01'],
    ['HTTP/1.2', `GET / HTTP/1.2\r\n${HOST}\r\n`],
    ['HTTP/2.0', `GET / HTTP/2.0\r\n${HOST}\r\n`],
    ['HTTP/0.9', `GET / HTTP/0.9\r\n${HOST}\r\n`],
    ['a request line without a version', 'GET /\r\n\r\n'],
    ['a protocol name in lower case', `GET / http/1.1\r\n${HOST}\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a relative target', `GET pets HTTP/1.1\r\n${HOST}\r\n`],
    ['an unencoded byte in the target', `GET /\xff HTTP/1.1\r\n${HOST}\r\n`],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a repeated Host', `GET / HTTP/1.1\r\n${HOST}HOST: a\r\n\r\n`],
    ['a repeated Host in HTTP/1.0', `GET / HTTP/1.0\r\n${HOST}${HOST}\r\n`],
    ['a Host repeated after 1,100 fields', `GET / HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(1_100)}${HOST}\r\n`],
    ['a Host that is no host', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a Host with two ports', 'GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n'],
    ['CL before TE', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n`],
    ['TE before CL', `POST / HTTP/1.1\r\n${HOST}${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer coding', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`],
    [
      'a coding before chunked',
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    ...[
      ['identity', 'chunked'],
      ['chunked', 'identity'],
      ['chunked', 'chunked'],
      ['', 'chunked'],
      ['Identity', 'Chunked'],
      ['identity', 'identity', 'chunked'],
    ].map((codings) => [
      `TE in lines of their own: ${codings.join(', ')}`,
      `POST / HTTP/1.1\r\n${HOST}${codings.map((one) => `Transfer-Encoding: ${one}\r\n`).join('')}\r\n0\r\n\r\n`,
    ]),
    ['identity as the only coding', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: identity\r\n\r\n`],
    ['TE in HTTP/1.0', `POST / HTTP/1.0\r\n${CHUNKED}\r\n0\r\n\r\n`],
    ['two Content-Lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ['a negative Content-Length', `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    ['a bare LF after the request line', `GET / HTTP/1.1\n${HOST}\r\n`],
    ['a bare LF after a field', 'GET / HTTP/1.1\r\nHost: a\n\r\n'],
    ['a bare LF as the empty line', `GET / HTTP/1.1\r\n${HOST}\n`],
    ['a bare CR in a value', `GET / HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`],
    ['a folded value', `GET / HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`],
    ['NUL in a value', `GET / HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`],
    ['a space before the colon', `GET / HTTP/1.1\r\n${HOST}X : a\r\n\r\n`],
    ['a field without a colon', `GET / HTTP/1.1\r\n${HOST}X\r\n\r\n`],
    ['CONNECT to a path', `CONNECT /v1/pets HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT without a port', `CONNECT a HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT with an absolute target', `CONNECT http://a:80/ HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT to port 65536', `CONNECT a:65536 HTTP/1.1\r\n${HOST}\r\n`],
    ['CONNECT without Host', 'CONNECT a:80 HTTP/1.1\r\n\r\n'],
    ['a request cut off by the client', 'GET / HTTP/1.1\r\nHo'],
  ])('responds with 400 bad_request and closes: %s', async (name, bytes) => {
    const cut = name === 'a request cut off by the client';
    const responses = await exchange(server.port, Buffer.from(bytes, 'latin1'), {
      after: (connection) => (cut ? connection.end() : undefined),
    });
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 400, 'bad_request');
    expect(server.served).toEqual([]);
    expect((await exchange(server.port, GET))[0]?.body).toBe('served');
  });

  it.each([
    ['a header field', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['a target', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ])('responds with 431 headers_too_large to %s over 16 kB', async (_name, bytes) => {
    const responses = await exchange(server.port, bytes);
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 431, 'headers_too_large');
  });

  it.each([
    ['found by the parser', `HEAD / HTTP/1.1\r\n${HOST}X : a\r\n\r\n`],
    ['found by wireFault', 'HEAD / HTTP/1.1\r\n\r\n'],
  ])('gives HEAD no body but the Content-Length of GET: %s', async (_name, bytes) => {
    const [get] = await exchange(server.port, 'GET / HTTP/1.1\r\n\r\n');
    const connection = await RawConnection.open(server.port);
    connection.send(GET + bytes);
    expect(await connection.nextResponse()).toMatchObject({ status: 200, body: 'served' });
    const head = await connection.nextResponse(true);
    expect(head?.status).toBe(400);
    expect(head?.headers.get('content-length')).toEqual(get?.headers.get('content-length'));
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
  });
});

describe('The server with unusual but valid requests', () => {
  it.each([
    ['HTTP/1.0 without Host', 'GET /x HTTP/1.0\r\n\r\n', 'GET /x'],
    ['an absolute target', `GET http://a/x?y=1 HTTP/1.1\r\n${HOST}\r\n`, 'GET http://a/x?y=1'],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 'OPTIONS *'],
    ['Upgrade', `GET /x HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 'GET /x'],
    ['an IPv6 Host', 'GET /x HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n', 'GET /x'],
    ['a Host with a port', 'GET /x HTTP/1.1\r\nhost: my_pets.example:3000\r\n\r\n', 'GET /x'],
    ['empty lines ahead', `\r\n\r\nGET /x HTTP/1.1\r\n${HOST}\r\n`, 'GET /x'],
    [
      'chunked in another case',
      `POST /x HTTP/1.1\r\n${HOST}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`,
      'POST /x',
    ],
    ['1,100 fields', `GET /x HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(1_100)}\r\n`, 'GET /x'],
    ['100-continue in HTTP/1.0', 'GET /x HTTP/1.0\r\nExpect: 100-continue\r\n\r\n', 'GET /x'],
  ])('passes method and target to the listener: %s', async (_name, bytes, served) => {
    const [response] = await exchange(server.port, bytes);
    expect(response).toMatchObject({ status: 200, body: 'served' });
    expect(server.served).toEqual([served]);
  });

  it('keeps the connection after an Upgrade with a body', async () => {
    const fields = `${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n`;
    const connection = await RawConnection.open(server.port);
    connection.send(`POST /body HTTP/1.1\r\n${fields}\r\nabc`);
    expect(await connection.nextResponse()).toMatchObject({ status: 200, body: 'abc' });
    connection.send(GET);
    expect(await connection.nextResponse()).toMatchObject({ status: 200, body: 'served' });
    connection.destroy();
  });

  it('responds to a client that has half-closed its connection meanwhile', async () => {
    const responses = await exchange(server.port, `GET /held HTTP/1.1\r\n${HOST}\r\n`, {
      after: async (connection) => {
        connection.end();
        await until(() => server.served.length === 1);
        await turn();
        await turn();
        server.release();
      },
    });
    expect(responses).toMatchObject([{ status: 200, body: 'held' }]);
  });
});

describe('The server with the header field Expect', () => {
  it.each([
    ['another expectation', 'HTTP/1.1', 'magic'],
    ['100-continue with another one', 'HTTP/1.1', '100-continue, magic'],
    ['a longer word', 'HTTP/1.1', 'x-100-continue'],
    ['another expectation in HTTP/1.0', 'HTTP/1.0', 'magic'],
  ])(
    'responds with 417 expectation_failed to %s, with the id of the request',
    async (_name, version, value) => {
      const request = `POST / ${version}\r\n${HOST}X-Request-Id: mine\r\nExpect: ${value}\r\nContent-Length: 0\r\n\r\n`;
      const [response] = await exchange(server.port, request);
      expectError(response, 417, 'expectation_failed');
      expect(response?.headers.get('x-request-id')).toEqual(['mine']);
      expect(server.served).toEqual([]);
    },
  );

  it('keeps the connection after a 417', async () => {
    const refused = `POST / HTTP/1.1\r\n${HOST}Expect: magic\r\nContent-Length: 3\r\n\r\nabc`;
    const responses = await exchange(server.port, refused + GET, { responses: 2 });
    expect(responses.map((one) => one.status)).toEqual([417, 200]);
  });

  it('judges a missing Host before the expectation', async () => {
    const [response] = await exchange(server.port, 'GET / HTTP/1.1\r\nExpect: magic\r\n\r\n');
    expectLast(response, 400, 'bad_request');
  });

  it('writes 100 Continue when the body is about to be read', async () => {
    const head = `POST /body HTTP/1.1\r\n${HOST}Expect: 100-Continue\r\nContent-Length: 3\r\n\r\n`;
    const connection = await RawConnection.open(server.port);
    connection.send(head);
    expect((await connection.nextResponse())?.status).toBe(100);
    connection.send('abc');
    expect(await connection.nextResponse()).toMatchObject({ status: 200, body: 'abc' });
    connection.destroy();
  });

  it('adds nothing to a 417 when the body is malformed too', async () => {
    const connection = await RawConnection.open(server.port);
    connection.send(`POST / HTTP/1.1\r\n${HOST}Expect: magic\r\n${CHUNKED}\r\nno chunk\r\n`);
    expectError(await connection.nextResponse(), 417, 'expectation_failed');
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
  });

  it('writes no 100 Continue to a request refused without its body', async () => {
    const head = `POST /refused HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    const responses = await exchange(server.port, head);
    expect(responses).toHaveLength(1);
    expectLast(responses[0], 404, 'not_found');
  });
});

describe('The server with the method CONNECT', () => {
  it.each(['a.example:443', '[::1]:80', '127.0.0.1:65535'])(
    'responds with 405 method_not_allowed to %s and closes',
    async (authority) => {
      const request = `CONNECT ${authority} HTTP/1.1\r\n${HOST}X-Request-Id: mine\r\n\r\nbytes for the tunnel`;
      const responses = await exchange(server.port, request);
      expect(responses).toHaveLength(1);
      expectLast(responses[0], 405, 'method_not_allowed');
      expect(responses[0]?.headers.get('allow')).toEqual([WIRE_ALLOW]);
      expect(responses[0]?.headers.get('x-request-id')).toEqual(['mine']);
    },
  );

  it('responds with 417 to an unmet expectation', async () => {
    const [response] = await exchange(server.port, `CONNECT a:80 HTTP/1.1\r\n${HOST}Expect: magic\r\n\r\n`);
    expectLast(response, 417, 'expectation_failed');
  });
});
