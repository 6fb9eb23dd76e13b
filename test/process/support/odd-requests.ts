/** Keys a run uses, which its log must not show. */
export interface Secrets {
  readonly valid: readonly string[];
  /** Unknown, revoked and malformed ones. */
  readonly others: readonly string[];
}

/** One request as it goes over the wire, on a connection of its own. */
export interface OddRequest {
  readonly bytes: string;
  readonly isHead: boolean;
}

/** The password of a client that uses another scheme. */
export const PASSWORD = 'Tm90QW5BUElLZXk6c2VjcmV0';

/** Something that is no HTTP. */
export const MALFORMED = 'GET /v1/pets HTTP/1.1\r\nHost localhost\r\n\r\n';

/** Hundreds of requests that hold keys wherever a client may have put one by mistake. */
export function oddRequests({ valid, others }: Secrets): OddRequest[] {
  const [authority = ''] = valid;
  const all = [...valid, ...others];
  return [
    ...all.flatMap((key) => authorizations(key).flatMap((field) => plain([field]))),
    ...all.flatMap((key) =>
      targets(key).flatMap((target) => plain([`Authorization: Bearer ${authority}`], target)),
    ),
    ...all.flatMap((key) => targets(key).flatMap((target) => plain([], target))),
    ...all.flatMap((key) =>
      fields(key).flatMap((field) => plain([`Authorization: Bearer ${authority}`, field])),
    ),
    ...all.flatMap((key) => bodies(key).map((body) => post(authority, body))),
    ...all.flatMap(malformed),
  ];
}

function authorizations(key: string): string[] {
  return [
    `Authorization: Bearer ${key}`,
    `Authorization: bearer   ${key}`,
    `Authorization: ${key}`,
    `Authorization: Basic ${PASSWORD}`,
    `Authorization: Bearer ${key}, Bearer ${key}`,
    `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}`,
    `Proxy-Authorization: Bearer ${key}`,
  ];
}

function targets(key: string): string[] {
  return [
    `/${key}`,
    `/v1/pets/${key}`,
    `/v1/${key}/pets`,
    `/v1/pets?key=${key}`,
    `/v1/pets?limit=${key}`,
    `/v1/pets?cursor=${key}`,
    `/v1/pets?${key}=1`,
    `/v1/pets?limit=1&limit=${key}`,
    `http://localhost/v1/pets?api_key=${key}`,
    `/v1/pets/%${key}`,
    `/openapi.json?${key}`,
  ];
}

function fields(key: string): string[] {
  return [
    `X-Api-Key: ${key}`,
    `X-Request-Id: ${key}`,
    `Cookie: key=${key}`,
    `User-Agent: ${key}`,
    `Referer: http://localhost/?key=${key}`,
    `Traceparent: ${key}`,
    `Tracestate: key=${key}`,
    `If-None-Match: "${key}"`,
    `Accept: ${key}`,
    `Expect: ${key}`,
    `X-Forwarded-For: ${key}`,
    `${key}: 1`,
  ];
}

function bodies(key: string): string[] {
  return [
    `{"name":"${key}","categoryId":1}`,
    `{"name":"x","categoryId":"${key}"}`,
    `{"name":"x","categoryId":1,"status":"${key}"}`,
    `{"${key}":1}`,
    `{"${key}":1,"${key}":2}`,
    `{"name":"${key}`,
    `"${key}"`,
    key,
  ];
}

/** GET, HEAD and a method the path does not have. */
function plain(lines: readonly string[], target = '/v1/pets'): OddRequest[] {
  return ['GET', 'HEAD', 'DELETE'].map((method) => ({
    bytes: [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n'),
    isHead: method === 'HEAD',
  }));
}

function post(key: string, body: string): OddRequest {
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return { bytes: [...head, '', body].join('\r\n'), isHead: false };
}

function malformed(key: string): OddRequest[] {
  const authorization = `Authorization: Bearer ${key}`;
  return [
    `${key} /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\nHost localhost\r\n${authorization}\r\n\r\n`,
    `GET /v1/pets HTTP/9.9\r\n${authorization}\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\nHost: ${key}\r\nHost: ${key}\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX: ${key.repeat(400)}\r\n\r\n`,
    `GET /${key.repeat(150)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `CONNECT ${key}:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n${key}\r\n`,
    `OPTIONS /v1/pets HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`,
    `TRACE /v1/pets HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`,
  ].map((bytes) => ({ bytes, isHead: false }));
}
