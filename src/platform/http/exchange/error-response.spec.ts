import { expectError } from '../../../../test/support/http/error-responses';
import { exchange } from '../../../../test/support/http/raw-http';
import { WireServer } from '../../../../test/support/http/wire-server';

const HOST = 'Host: a\r\n';
const GET = `GET / HTTP/1.1\r\n${HOST}\r\n`;

let server: WireServer;
beforeEach(async () => (server = await WireServer.start()));
afterEach(() => server.stop());

describe('sendError', () => {
  it('keeps header fields set before and adds those of the error', async () => {
    const [response] = await exchange(server.port, `GET /marked HTTP/1.1\r\n${HOST}\r\n`);
    expectError(response, 404, 'not_found');
    expect(response?.headers.get('deprecation')).toEqual(['@1']);
    expect(response?.headers.get('link')).toEqual(['<a>; rel="x"', '<b>; rel="y"']);
    expect(response?.headers.get('x-extra')).toEqual(['1']);
  });

  it('keeps the connection unless the error closes it', async () => {
    const responses = await exchange(server.port, `GET /refused HTTP/1.1\r\n${HOST}\r\n${GET}`, {
      responses: 2,
    });
    expect(responses.map((one) => one.status)).toEqual([404, 200]);
  });

  it('sends HEAD the fields of GET without the body', async () => {
    const [get] = await exchange(server.port, `GET /marked HTTP/1.1\r\n${HOST}\r\n`);
    const head = `HEAD /marked HTTP/1.1\r\n${HOST}\r\n`;
    const responses = await exchange(server.port, head + head, { head: true, responses: 2 });
    expect(responses.map((one) => one.status)).toEqual([404, 404]);
    expect(responses[0]?.headers.get('content-length')).toEqual(get?.headers.get('content-length'));
  });

  it('sends the first of two errors', async () => {
    const responses = await exchange(server.port, `GET /refused-twice HTTP/1.1\r\n${HOST}\r\n${GET}`, {
      responses: 2,
    });
    expectError(responses[0], 404, 'not_found');
    expect(responses[1]?.body).toBe('served');
  });

  it('destroys the connection when another response has already begun', async () => {
    await expect(exchange(server.port, `GET /begun HTTP/1.1\r\n${HOST}\r\n`)).rejects.toThrow(
      'within a response',
    );
  });
});
