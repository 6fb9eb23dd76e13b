import { connect } from 'node:net';

/** Larger than any response of the load, so that most arrive whole in one read. */
const READ_BYTES = 64 * 1024;
const SILENCE_LIMIT_MS = 10_000;
const HEAD_END = '\r\n\r\n';

/** A request as it is sent; everything in it is ASCII. */
function requestText(host, { method, path, headers, body }) {
  let text = `${method} ${path} HTTP/1.1\r\n`;
  if (headers.Host === undefined) text += `Host: ${host}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return body === undefined ? `${text}\r\n` : `${text}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Whether `text` is a whole response. Throws when it does not say how long it is. */
function isComplete(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return false;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length === null) throw new Error(`a response without Content-Length:\n${head}`);
  return text.length >= headEnd + HEAD_END.length + Number(length[1]);
}

/**
 * Opens a keep-alive connection to `url`, sends one request at a time, and the next as soon as the response is there.
 * Of a response it reads the status and the length: what it computes is taken from the server on the same machine.
 *
 * @param next gives the next request, or undefined when there is none
 * @param onResponse takes the status of each response and the milliseconds it took
 * @returns a promise that is rejected when the connection fails, ends early or is silent for ten seconds
 */
export function keepRequesting(url, next, onResponse) {
  const { host, hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received = '';
    const send = () => {
      const request = next();
      if (request === undefined) {
        resolve();
        socket.destroy();
        return;
      }
      sentAt = performance.now();
      socket.write(requestText(host, request), 'latin1');
    };
    const receive = (length, buffer) => {
      try {
        received += buffer.latin1Slice(0, length);
        if (!isComplete(received)) return true;
        onResponse(
          Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
          performance.now() - sentAt,
        );
        received = '';
        send();
      } catch (error) {
        socket.destroy(error);
      }
      return true;
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: receive },
    });
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('a connection was closed under load')));
    socket.setTimeout(SILENCE_LIMIT_MS, () => socket.destroy(new Error('no response for ten seconds')));
  });
}
