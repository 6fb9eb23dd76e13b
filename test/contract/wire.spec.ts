import { exchange, RawConnection } from '../support/http/raw-http';
import { allowAnywhere } from './support/allow';
import { expectContractError, type ExpectedError } from './support/expect-error';
import { ask, creation, field, wireBytes } from './support/request';
import { itRefuses } from './support/rows';
import { useService } from './support/service';

const HOST = 'Host: petstore.test\r\n';

describe('The HTTP parser of the service', () => {
  const service = useService('sqlite');

  /** Sends bytes that are not a request; the one response must be the error, and the last of its connection. */
  async function expectLastResponse(bytes: string, expected: ExpectedError): Promise<void> {
    const responses = await exchange(service().port, Buffer.from(bytes, 'latin1'), {
      head: expected.head ?? false,
    });
    expect(responses).toHaveLength(1);
    const [response] = responses;
    if (!response) return;
    expectContractError(response, expected);
    expect(field(response, 'connection')).toBe('close');
    expect(response.closed).toBe(true);
  }

  const authorized = () => `${HOST}Authorization: Bearer ${service().key}\r\n`;

  it.each<[string, (fields: string) => string]>([
    ['noise', () => 'nonsense\r\n\r\n'],
    ['no Host', () => 'GET /v1/pets HTTP/1.1\r\n\r\n'],
    ['HTTP/2.0', (fields) => `GET /v1/pets HTTP/2.0\r\n${fields}\r\n`],
    [
      'Transfer-Encoding in two lines, of which the last is chunked',
      (fields) =>
        `POST /v1/pets HTTP/1.1\r\n${fields}Content-Type: application/json\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a fragment in the target', (fields) => `GET /v1/pets/1#x HTTP/1.1\r\n${fields}\r\n`],
    ['CONNECT to a path', (fields) => `CONNECT /v1/pets HTTP/1.1\r\n${fields}\r\n`],
    [
      'an absolute target with user information',
      (fields) => `GET http://me@petstore.test/v1/pets HTTP/1.1\r\n${fields}\r\n`,
    ],
    [
      'a malformed chunk',
      (fields) =>
        `POST /v1/pets HTTP/1.1\r\n${fields}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
    ],
  ])('refuses %s with 400 bad_request and closes', async (_case, bytes) => {
    await expectLastResponse(bytes(authorized()), { status: 400, code: 'bad_request' });
  });

  it('refuses Transfer-Encoding in two lines on the management port too', async () => {
    const { managementPort: port } = service();
    const bytes = `POST /metrics HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const [response] = await exchange(port, bytes);
    expect(response).toMatchObject({ status: 400, closed: true });
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 'bad_request' });
  });

  it('refuses a header field over 16 kB with 431 headers_too_large and closes', async () => {
    const bytes = `GET /v1/pets HTTP/1.1\r\n${authorized()}X: ${'secret'.repeat(3_000)}\r\n\r\n`;
    await expectLastResponse(bytes, { status: 431, code: 'headers_too_large', offending: ['secretsecret'] });
  });

  itRefuses(service, [
    {
      of: 'a target of 8,001 bytes, without a key',
      request: { target: targetOf(8_001), key: null },
      status: 414,
      code: 'uri_too_long',
      offending: ['aaaaaaaa'],
    },
    {
      of: 'a target of exactly 8,000 bytes for its parameter only',
      request: { target: targetOf(8_000) },
      status: 400,
      code: 'unknown_parameter',
    },
    {
      of: 'Expect: magic',
      request: creation('{}', { headers: { Expect: 'magic' } }),
      status: 417,
      code: 'expectation_failed',
      offending: ['magic'],
    },
  ]);

  function targetOf(length: number): string {
    return '/v1/pets?'.padEnd(length, 'a');
  }

  it('refuses CONNECT to an authority with 405 method_not_allowed', async () => {
    const [response] = await exchange(
      service().port,
      `CONNECT petstore.test:443 HTTP/1.1\r\n${HOST}X-Request-Id: mine\r\n\r\n`,
    );
    expect(response && field(response, 'allow')).toBe(await allowAnywhere(service()));
    expectContractError(response as NonNullable<typeof response>, {
      status: 405,
      code: 'method_not_allowed',
      requestId: 'mine',
    });
  });

  it('writes 100 Continue only for a body that will be read', async () => {
    const body = '{"name":"Rex","categoryId":1}';
    const headers = { Expect: '100-continue', 'Content-Length': String(body.length) };
    const connection = await RawConnection.open(service().port);
    connection.send(wireBytes(creation('', { headers }), service().key));
    expect(await connection.nextResponse()).toMatchObject({ status: 100 });
    connection.send(body);
    expect(await connection.nextResponse()).toMatchObject({ status: 201 });
    connection.destroy();
    expect(await ask(service(), creation('', { headers, key: null }))).toMatchObject({ status: 401 });
  });

  it('serves an absolute target', async () => {
    const target = 'HTTP://petstore.test:80/v1/pets?limit=1';
    expect(await ask(service(), { target })).toMatchObject({ status: 200 });
  });

  it('serves HTTP/1.0 without Host', async () => {
    const bytes = `GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer ${service().key}\r\n\r\n`;
    expect(await exchange(service().port, bytes)).toMatchObject([{ status: 200, closed: true }]);
  });
});

describe('The service with slow requests', () => {
  const callLateAfter = (ms: number) =>
    void Object.assign(service().app.getHttpServer(), { headersTimeout: ms, requestTimeout: ms });
  afterEach(() => callLateAfter(60_000));
  const service = useService('sqlite', { REQUEST_TIMEOUT_MS: '70000' });

  it('gives requests the time of its settings, and their headers a third of it', () => {
    expect(service().app.getHttpServer()).toMatchObject({ headersTimeout: 23_334, requestTimeout: 70_000 });
  });

  it('refuses a request whose body does not come with 408 request_timeout and closes', async () => {
    callLateAfter(80);
    const bytes = wireBytes(creation('{"na', { headers: { 'Content-Length': '30' } }), service().key);
    const responses = await exchange(service().port, bytes);
    expect(responses).toHaveLength(1);
    const [response] = responses as [NonNullable<(typeof responses)[0]>];
    expectContractError(response, { status: 408, code: 'request_timeout' });
    expect(field(response, 'connection')).toBe('close');
    expect(response.closed).toBe(true);
  });
});

describe('The header field X-Request-Id', () => {
  const service = useService('sqlite');

  it('is sent back by whatever responds', async () => {
    for (const target of ['/v1/pets', '/none', '/health/live']) {
      const response = await ask(service(), { target, headers: { 'X-Request-Id': 'A-Za_z.0-9' } });
      expect(field(response, 'x-request-id')).toBe('A-Za_z.0-9');
    }
  });

  it.each(['two words', ['one', 'two']])('is replaced by a UUID: %j', async (id) => {
    const response = await ask(service(), { target: '/none', headers: { 'X-Request-Id': id } });
    expectContractError(response, { status: 404, code: 'not_found' });
  });
});
