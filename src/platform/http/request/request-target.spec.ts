import type { IncomingMessage } from 'node:http';
import type { AppError } from '../../errors/app-error';
import { readTarget } from './request-target';

function request(url: string, host?: string): IncomingMessage {
  return { url, headers: { ...(host !== undefined && { host }) } } as IncomingMessage;
}

function refusal(url: string, host?: string): string {
  try {
    readTarget(request(url, host));
  } catch (error) {
    return (error as AppError).code;
  }
  return 'accepted';
}

describe('readTarget', () => {
  it.each([
    ['/', '/', ''],
    ['/v1/pets', '/v1/pets', ''],
    ['/v1/pets?', '/v1/pets', ''],
    ['/v1/pets?a=1?b', '/v1/pets', 'a=1?b'],
    ['/v1/pets/%F0%9F%90%B6', '/v1/pets/%F0%9F%90%B6', ''],
    ['/v1/pets?%ff', '/v1/pets', '%ff'],
    ['//host/v1', '//host/v1', ''],
    ['*', '*', ''],
  ])('splits %s into path and query', (url, path, query) => {
    expect(readTarget(request(url, 'a'))).toEqual({ path, query });
  });

  it.each([
    ['http://b:81/v1/pets?x=1', 'b:81', '/v1/pets', 'x=1'],
    ['HTTPS://b/v1', 'b', '/v1', ''],
    ['http://b', 'b', '/', ''],
    ['http://b?x=1', 'b', '/', 'x=1'],
    ['http://[::1]:3000/v1', '[::1]:3000', '/v1', ''],
  ])('reduces %s to its origin form', (url, host, path, query) => {
    const absolute = request(url, 'a');
    expect(readTarget(absolute)).toEqual({ path, query });
    expect(absolute.headers.host).toBe(host);
    expect(absolute.url).toBe(query === '' ? path : `${path}?${query}`);
  });

  it.each(['http:///v1', 'http://:80/v1', 'http://me@b/v1', 'http://b:x/v1', 'http://[x]/', 'http://b<i>/'])(
    'refuses the authority of %s',
    (url) => {
      expect(refusal(url, 'a')).toBe('bad_request');
    },
  );

  it.each(['/v1/pets#x', '/v1/pets/1#', '/#?a', '/v1/pets?a#b', 'http://b/#'])(
    'refuses the fragment of %s',
    (url) => {
      expect(refusal(url, 'a')).toBe('bad_request');
    },
  );

  it('accepts a request without Host, which HTTP/1.0 allows', () => {
    expect(refusal('/v1/pets')).toBe('accepted');
  });

  it.each(['/%', '/%a', '/%zz', '/%ff', '/%c0%af', '/%ED%A0%80', '/\xff', '/v1/%E0%A4%A?x'])(
    'refuses the path of %s',
    (url) => {
      expect(refusal(url, 'a')).toBe('invalid_path');
    },
  );

  it('accepts 8,000 bytes and refuses one more, before any other check', () => {
    expect(refusal(`/${'a'.repeat(7_999)}`, 'a')).toBe('accepted');
    expect(refusal(`/${'a'.repeat(8_000)}`, 'a')).toBe('uri_too_long');
    expect(refusal(`/%zz${'a'.repeat(8_000)}`, 'a/b')).toBe('uri_too_long');
  });
});
