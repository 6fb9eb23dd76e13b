import type { RawResponse } from './raw-http';

/** What every error response has: exactly the three members, the four fields, a true Content-Length, one Date. */
export function expectError(response: RawResponse | undefined, status: number, code: string): void {
  expect(response).toBeDefined();
  const { headers, body } = response as RawResponse;
  expect({ status: response?.status, body: JSON.parse(body) }).toEqual({
    status,
    body: { code, status, message: expect.stringMatching(/\.$/) },
  });
  expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8']);
  expect(headers.get('cache-control')).toEqual(['no-store']);
  expect(headers.get('x-content-type-options')).toEqual(['nosniff']);
  expect(headers.get('x-request-id')).toEqual([expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/)]);
  expect(headers.get('content-length')).toEqual([String(Buffer.byteLength(body))]);
  expect(Number.isNaN(Date.parse(headers.get('date')?.join() ?? ''))).toBe(false);
}

/** An error response which says that it is the last of its connection, and was. */
export function expectLast(response: RawResponse | undefined, status: number, code: string): void {
  expectError(response, status, code);
  expect(response?.headers.get('connection')).toEqual(['close']);
  expect(response?.closed).toBe(true);
}
