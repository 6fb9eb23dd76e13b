import { once } from 'node:events';
import { connect } from 'node:net';

/** As long as an id of a request may be, which makes for long lines. */
const ID_LENGTH = 128;

/** How many requests are sent in one go. */
const BATCH = 100;

const NOT_FOUND = 'HTTP/1.1 404 ';

/**
 * Sends so many requests for a path that does not exist, each with an id of its own, on one connection.
 *
 * @returns their ids, when all got 404
 */
export async function sendMany(port: number, count: number, prefix = 'r'): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}-`.padEnd(ID_LENGTH, 'x'));
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  for (let sent = 0; sent < count; sent += BATCH) {
    const batch = ids.slice(sent, sent + BATCH);
    socket.write(batch.map(requestNamed).join(''));
    for (let received = ''; received.split(NOT_FOUND).length <= batch.length;) {
      const [chunk] = (await once(socket, 'data')) as [string];
      received += chunk;
    }
  }
  socket.destroy();
  return ids;
}

function requestNamed(id: string): string {
  return `GET /none HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\n\r\n`;
}
