import { createToken } from '../../../src/platform/security/api-key-token';

/** The path that the proxies of the page remove. */
const PREFIX = '/petstore';

/** A request of which the page says what becomes of it behind each proxy. */
export interface Difference {
  /** As the page names it. */
  readonly title: string;
  /** @param key of the service @returns what a client writes; of the body it may lack all, or the end */
  readonly bytes: (key: string) => string;
}

const post = (key: string, fields: string) =>
  `POST ${PREFIX}/v1/pets HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\n${fields}\r\n`;
const get = (key: string, target: string, fields = 'Host: 127.0.0.1\r\n') =>
  `GET ${PREFIX}${target} HTTP/1.1\r\n${fields}Authorization: Bearer ${key}\r\n\r\n`;
const BODY = '{"name":"Rex","categoryId":1}';

/** All of the page's, in its order. */
export const DIFFERENCES: readonly Difference[] = [
  { title: 'what is no HTTP', bytes: () => 'noise\r\n\r\n' },
  { title: 'no `Host`', bytes: (key) => get(key, '/v1/pets', '') },
  { title: 'a fragment in the target', bytes: (key) => get(key, '/v1/pets#x') },
  {
    title: 'an absolute target of another `Host`',
    bytes: (key) => get(key, '/v1/pets').replace(PREFIX, `http://other.example${PREFIX}`),
  },
  { title: '`CONNECT` to a path', bytes: (key) => get(key, '/v1/pets').replace('GET', 'CONNECT') },
  { title: '`HTTP/2.0` in the first line', bytes: (key) => get(key, '/v1/pets').replace('/1.1', '/2.0') },
  {
    title: 'header fields over 16 kB',
    bytes: (key) => get(key, '/v1/pets', `Host: 127.0.0.1\r\nX-Long: ${'x'.repeat(17_000)}\r\n`),
  },
  { title: 'a target over 8,000 bytes', bytes: (key) => get(key, `/v1/pets?status=${'x'.repeat(8_100)}`) },
  { title: '`/v1//pets`', bytes: (key) => get(key, '/v1//pets') },
  { title: '`TRACE`', bytes: (key) => get(key, '/v1/pets').replace('GET', 'TRACE') },
  {
    title: '`Content-Length` twice, equal',
    bytes: (key) => post(key, `Content-Length: ${BODY.length}\r\n`.repeat(2)) + BODY,
  },
  {
    title: '`Content-Length` and `Transfer-Encoding`',
    bytes: (key) =>
      `${post(key, 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  },
  {
    title: '`Transfer-Encoding` twice',
    bytes: (key) =>
      `${post(key, 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n')}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  },
  {
    title: 'a malformed chunk',
    bytes: (key) => `${post(key, 'Transfer-Encoding: chunked\r\n')}no chunk\r\n`,
  },
  {
    title: '`Expect` of something else',
    bytes: (key) => post(key, `Expect: 200-ok\r\nContent-Length: ${BODY.length}\r\n`) + BODY,
  },
  { title: 'a malformed key, and no body yet', bytes: () => post('x', 'Content-Length: 29\r\n') },
  {
    title: 'a well-formed key that is refused, and no body yet',
    bytes: () => post(createToken(), 'Content-Length: 29\r\n'),
  },
  {
    title: 'a body declared too large, not there yet',
    bytes: (key) => post(key, 'Content-Length: 102401\r\n'),
  },
];
