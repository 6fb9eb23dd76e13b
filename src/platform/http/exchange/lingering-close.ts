import type { Socket } from 'node:net';

/** Time for which a connection takes bytes in after its last response, in milliseconds. */
const LINGER_MS = 2_000;

const closing = Symbol('closing');
type ClosableSocket = Socket & { [closing]?: true };

/** True once a response with `Connection: close` was given: no later request on the connection may be carried out. */
export function isClosing(socket: ClosableSocket): boolean {
  return socket[closing] === true;
}

/**
 * Makes Node close this connection by {@link lingeringClose} when the response under way has been written, and
 * {@link isClosing} true of it.
 */
export function closeAfterResponse(socket: ClosableSocket): void {
  socket[closing] = true;
  lingerAtEnd(socket);
}

/** Makes Node close this connection by {@link lingeringClose} after whichever response is its last. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => lingeringClose(socket);
}

/**
 * Ends our side of a connection, and destroys the socket once the client has ended its own or the time is over. Closing with
 * unread bytes would make the kernel reset the connection, and the client would lose the response (RFC 9112, section 9.6).
 */
export function lingeringClose(socket: Socket, lingerMs = LINGER_MS): void {
  discardInput(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Takes the socket from the HTTP parser and throws away what still arrives. */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.resume();
  // Reading stops where nobody takes the body of a request, and Node starts it again for its parser alone.
  const { _handle: handle } = socket as unknown as { readonly _handle: ReadHandle | null };
  if (handle && !handle.reading) {
    handle.reading = true;
    handle.readStart();
  }
}

/** The handle of a socket, as Node's own code for HTTP uses it. */
interface ReadHandle {
  reading: boolean;
  readStart(): void;
}
