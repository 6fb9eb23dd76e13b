import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { LONGEST_WAIT_MS } from '../until';

/** One HTTP response as it stood on the wire. */
export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  /** Values by lower-case field name, in the order received. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The body as UTF-8, chunked coding undone. */
  readonly body: string;
  /** The bytes of the whole response. */
  readonly raw: Buffer;
  /** True when this was the last response and the server then closed the connection. */
  readonly closed: boolean;
}

export interface ExchangeOptions {
  /** The requests are HEAD: responses have no body, whatever Content-Length says. */
  readonly head?: boolean;
  /** How many final responses to wait for, 1 unless told. */
  readonly responses?: number;
  /** Called with the connection after the bytes were written, to send more or to hang up. */
  readonly after?: (connection: RawConnection) => void | Promise<void>;
}

/**
 * Writes the bytes (a string goes out as UTF-8) on a new connection to 127.0.0.1 and reads the responses, interim
 * ones (1xx) included. Ends when the wanted number of final responses has come; when the last of them says
 * `Connection: close` it waits until the server has closed, so that a response too many is seen too.
 *
 * @throws Error when the server neither responds nor closes in time, resets the connection, or sends bytes that
 *   are not an HTTP response.
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  options: ExchangeOptions = {},
): Promise<RawResponse[]> {
  const { head = false, responses: wanted = 1, after } = options;
  const connection = await RawConnection.open(port);
  const timer = setTimeout(() => {
    connection.destroy(new Error(`No end after ${LONGEST_WAIT_MS} ms; received: ${connection.unread()}`));
  }, LONGEST_WAIT_MS);
  try {
    connection.send(bytes);
    await after?.(connection);
    const responses: RawResponse[] = [];
    let missing = wanted;
    let close = false;
    while (missing > 0 || close) {
      const response = await connection.nextResponse(head);
      if (response === undefined) {
        return responses.map((one, index) => ({ ...one, closed: index === responses.length - 1 }));
      }
      responses.push(response);
      missing -= response.status >= 200 ? 1 : 0;
      close = response.headers.get('connection')?.includes('close') ?? false;
    }
    return responses;
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}

/** A connection that sends any bytes and reads responses one by one. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private ended = false;
  private fault: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])));
    socket.on('end', () => (this.ended = true));
    socket.on('error', (error) => (this.fault = error));
    socket.on('close', () => (this.ended = true));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Sends all of it before it takes in any response, as a client without an event loop does. */
  async sendBeforeReading(bytes: Buffer): Promise<void> {
    this.socket.pause();
    await new Promise((sent) => this.socket.write(bytes, sent));
    this.socket.resume();
  }

  /** Ends the client's side; responses can still be read. */
  end(): void {
    this.socket.end();
  }

  /** Hangs up with a TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  destroy(error?: Error): void {
    this.socket.destroy(error);
  }

  /** What has been received and not been taken as a response yet. */
  unread(): string {
    return this.received.toString('latin1');
  }

  /** The next response, interim ones included; undefined when the server has closed before its first byte. */
  async nextResponse(head = false): Promise<RawResponse | undefined> {
    for (;;) {
      if (this.fault !== undefined) {
        throw this.fault;
      }
      const parsed = parseResponse(this.received, head, this.ended);
      if (parsed !== undefined) {
        this.received = this.received.subarray(parsed.raw.length);
        return parsed;
      }
      if (this.ended) {
        if (this.received.length > 0) {
          throw new Error(`The connection ended within a response: ${this.unread()}`);
        }
        return undefined;
      }
      await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      const events = ['data', 'end', 'error', 'close'];
      const done = (): void => {
        events.forEach((event) => this.socket.off(event, done));
        resolve();
      };
      events.forEach((event) => this.socket.on(event, done));
    });
  }
}

function parseResponse(bytes: Buffer, head: boolean, ended: boolean): RawResponse | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) {
    return undefined;
  }
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [, digits, reason] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? [];
  if (digits === undefined || reason === undefined) {
    throw new Error(`Not an HTTP response: ${bytes.toString('latin1', 0, 200)}`);
  }
  const status = Number(digits);
  const headers = parseFields(lines);
  const start = headEnd + 4;
  const content = hasBody(status, head) ? readBody(bytes, start, headers, ended) : noBody(start);
  return (
    content && {
      status,
      reason,
      headers,
      body: content.body,
      raw: bytes.subarray(0, content.end),
      closed: false,
    }
  );
}

function parseFields(lines: string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(`Not a header field: ${line}`);
    }
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  return headers;
}

function hasBody(status: number, head: boolean): boolean {
  return !head && status >= 200 && status !== 204 && status !== 304;
}

interface Content {
  readonly body: string;
  /** Where the response ends in the bytes received. */
  readonly end: number;
}

function noBody(start: number): Content {
  return { body: '', end: start };
}

/** RFC 9112, section 6.3, for responses. */
function readBody(
  bytes: Buffer,
  start: number,
  headers: Map<string, string[]>,
  ended: boolean,
): Content | undefined {
  if (headers.get('transfer-encoding')?.[0] === 'chunked') {
    return readChunks(bytes, start);
  }
  const length = headers.get('content-length')?.[0];
  const end = length === undefined ? bytes.length : start + Number(length);
  const whole = length === undefined ? ended : bytes.length >= end;
  return whole ? { body: bytes.toString('utf8', start, end), end } : undefined;
}

function readChunks(bytes: Buffer, start: number): Content | undefined {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) {
      return undefined;
    }
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (Number.isNaN(size) || bytes.length < end) {
      return undefined;
    }
    if (size === 0) {
      return { body: Buffer.concat(chunks).toString('utf8'), end };
    }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
