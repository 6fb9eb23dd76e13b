import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/processes/free-port';

const HOST = '127.0.0.1';

/** Bounds of the delay of a connection in one direction, in milliseconds. */
const DELAYS_MS = [1, 10] as const;

/**
 * A link to a port of this machine whose bytes, ends of connections included, are 1 to 10 milliseconds on their way, as between
 * zones of a cloud. It is a program rather than `tc netem`, which containers and many kernels do not have.
 */
export class SlowLink {
  /** Whether it ends a connection in place of a response that says that something was added. */
  losesCreations = false;
  /** How many such responses it has lost. */
  lost = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(
    private readonly target: number,
    readonly port: number,
  ) {
    this.server = createServer({ allowHalfOpen: true }, (near) => {
      const far = new Socket({ allowHalfOpen: true }).connect(this.target, HOST);
      const delay = randomInt(DELAYS_MS[0], DELAYS_MS[1] + 1);
      this.carry(near, far, delay);
      this.carry(far, near, delay, true);
    });
  }

  static async to(target: number): Promise<SlowLink> {
    const link = new SlowLink(target, await freePort(HOST));
    await link.accept();
    return link;
  }

  /** Takes connections. */
  async accept(): Promise<void> {
    if (!this.server.listening) await once(this.server.listen(this.port, HOST), 'listening');
  }

  /** Refuses connections, as a port does that nothing listens on; those that are open stay. */
  refuse(): void {
    this.server.close();
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(from: Socket, to: Socket, delay: number, isResponse = false): void {
    let before = Promise.resolve();
    const later = (work: () => void) => {
      const arrives = pause(delay);
      before = before.then(() => arrives).then(work);
    };
    this.sockets.add(from.setNoDelay());
    from.on('data', (bytes: Buffer) => {
      if (isResponse && this.losesCreations && bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 201') {
        this.lost++;
        from.destroy();
        to.destroy();
        return;
      }
      later(() => {
        if (!to.write(bytes)) from.pause();
      });
    });
    to.on('drain', () => from.resume());
    from.once('end', () => later(() => void to.end()));
    from.once('close', () => {
      this.sockets.delete(from);
      later(() => to.destroySoon());
    });
    from.on('error', () => from.destroy());
  }
}
