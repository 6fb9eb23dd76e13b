import type { Worker } from 'node:cluster';

/** Message of Node's primary when it hands a connection to a worker, as of Node 24; the worker replies with `ack`. */
interface NewConnection {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  /** Port that the connection came in at. */
  readonly key: string;
  readonly seq: number;
}

/** A connection on its way to a worker. */
interface HandedOver {
  readonly seq: number;
  readonly connection: { close(): void };
}

/**
 * Gives a connection that a worker was handed, but did not take before it was killed, to another worker. Node waits for the
 * worker's reply for ever, and so does the client, whose connection the primary holds open
 * (https://github.com/nodejs/node-v0.x-archive/issues/7006). A worker has one such connection a port at most.
 *
 * @param hasOthers tells whether another worker takes connections; without one they are closed
 */
export function returnUndelivered({ process: child }: Worker, hasOthers: () => boolean): void {
  const handedOver = new Map<string, HandedOver>();
  const send = child.send.bind(child) as (...words: unknown[]) => boolean;
  child.send = (message: unknown, connection?: unknown, ...others: unknown[]) => {
    if (isNewConnection(message)) {
      handedOver.set(message.key, { seq: message.seq, connection: connection as HandedOver['connection'] });
    }
    return send(message, connection, ...others);
  };
  let isDisconnected = false;
  child.once('disconnect', () => (isDisconnected = true));
  // The process has ended, and all its messages have been handled.
  child.once('close', () => {
    // Node does not emit this while a connection is on its way, and goes on counting the worker among those it has.
    if (!isDisconnected) child.emit('disconnect');
    for (const { seq, connection } of handedOver.values()) {
      // The reply of a worker that is closing its server. Node ignores it if the worker has already replied.
      if (hasOthers()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else connection.close();
    }
  });
}

function isNewConnection(message: unknown): message is NewConnection {
  const { cmd, act } = message as Partial<NewConnection>;
  return cmd === 'NODE_CLUSTER' && act === 'newconn';
}
