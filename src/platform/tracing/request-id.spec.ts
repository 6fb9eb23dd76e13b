import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { requestIdOf } from './request-id';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function requestWith(id?: string | string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = id === undefined ? {} : { 'x-request-id': id };
  return request;
}

describe('requestIdOf', () => {
  it.each(['a', 'Trace_1.2-3', 'x'.repeat(128)])('accepts the id %j of the client', (id) => {
    expect(requestIdOf(requestWith(id))).toBe(id);
  });

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a, b', 'a"b', 'é', 'a\n', ['a', 'b']])(
    'makes a UUID instead of %j',
    (id) => {
      expect(requestIdOf(requestWith(id))).toMatch(UUID);
    },
  );

  it('returns one id per request, and another for each request', () => {
    const request = requestWith();
    expect(requestIdOf(request)).toBe(requestIdOf(request));
    expect(requestIdOf(request)).not.toBe(requestIdOf(requestWith()));
  });
});
