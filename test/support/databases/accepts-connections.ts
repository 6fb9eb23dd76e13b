import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether something listens on that TCP port. */
export async function acceptsConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
