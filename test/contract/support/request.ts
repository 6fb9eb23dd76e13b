import { exchange, type RawResponse } from '../../support/http/raw-http';

/** A request as it is written on the wire. */
export interface WireRequest {
  /** GET unless told. */
  readonly method?: string;
  /** Request target, `/v1/pets` unless told. */
  readonly target?: string;
  /** Header fields, in order; a list repeats the field. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Content-Length is added when there is one and `headers` frame it in no other way. */
  readonly body?: string | Buffer;
  /** A token to send as bearer; undefined for the service's own, null for none. */
  readonly key?: string | null;
}

/** Where requests go: the part of a test service that is needed for one. */
export interface Target {
  readonly port: number;
  readonly key: string;
}

let count = 0;

/** Sends one request on a connection of its own and gives the one response to it. */
export async function ask(service: Target, request: WireRequest): Promise<RawResponse> {
  const responses = await exchange(service.port, wireBytes(request, service.key), {
    head: request.method === 'HEAD',
  });
  expect(responses).toHaveLength(1);
  return responses[0] as RawResponse;
}

/** The bytes of a request. */
export function wireBytes(request: WireRequest, key: string): Buffer {
  const { method = 'GET', target = '/v1/pets', headers = {}, body, key: token = key } = request;
  const lines = [`${method} ${target} HTTP/1.1`];
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (!names.has('host')) lines.push('Host: petstore.test');
  if (token !== null && !names.has('authorization')) lines.push(`Authorization: Bearer ${token}`);
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) lines.push(`${name}: ${value}`);
  }
  if (body !== undefined && !names.has('content-length') && !names.has('transfer-encoding')) {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0)),
  ]);
}

/** A POST of JSON text. */
export function creation(body: string | Buffer, more: WireRequest = {}): WireRequest {
  return {
    ...more,
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...more.headers },
  };
}

/** The only value of a header field; undefined when it is absent. */
export function field(response: RawResponse, name: string): string | undefined {
  const values = response.headers.get(name.toLowerCase()) ?? [];
  expect(values.length).toBeLessThan(2);
  return values[0];
}

/** A request id that was not used yet. */
export function freshRequestId(): string {
  count += 1;
  return `contract-${count}`;
}
