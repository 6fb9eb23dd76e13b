import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Most connections that may wait to be accepted; the kernel takes `net.core.somaxconn`, 4,096 on Linux, where that is less.
 * Node accepts one in a turn of the event loop. Connections for which Node's own 511 had no room came again after a second at
 * the earliest.
 */
const BACKLOG = 4_096;

/** The service cannot start; the message is one sentence for the operator. */
class StartError extends Error {}

/** Address to listen on, and the names of the settings that say so. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly settings: { readonly host: string; readonly port: string };
}

/**
 * Lets a server listen.
 *
 * @returns the root address, `http://127.0.0.1:3000`
 * @throws StartError, whose cause is Node's own error
 */
export async function listen(server: Server, at: ListenAddress): Promise<string> {
  try {
    // Not app.listen, which also logs the error with its stack: the operator is told once, in one sentence.
    await once(server.listen({ port: at.port, host: at.host, backlog: BACKLOG }), 'listening');
  } catch (error) {
    throw new StartError(explain(error as NodeJS.ErrnoException, at), { cause: error });
  }
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Whether {@link listen} failed because another process listens there. */
export function isInUse(error: unknown): boolean {
  return error instanceof StartError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function explain(error: NodeJS.ErrnoException, { host, port, settings }: ListenAddress): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; stop what listens there or choose another with ${settings.port}.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be used by this user; choose one above 1023 with ${settings.port}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}; choose another with ${settings.host}.`;
    default:
      return `The service cannot listen on ${host}:${port}: ${error.message}.`;
  }
}
