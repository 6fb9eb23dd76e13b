import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on loopback that cuts connections, each after a number of bytes in both directions. */
export class CuttingProxy {
  /** Connections that have been cut so far. */
  cuts = 0;

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  /**
   * Starts a proxy.
   *
   * @param port the port of the service
   * @param lengthOf bytes that the next connection may carry; undefined for any number
   */
  static async start(port: number, lengthOf: (cuts: number) => number | undefined): Promise<CuttingProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const service = connect(port, '127.0.0.1');
      let left = lengthOf(proxy.cuts) ?? Infinity;
      const pass = (from: Socket, to: Socket) => {
        sockets.add(from);
        // The other end is closed in the same way.
        from.on('error', () => to.destroy());
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.on('data', (bytes: Buffer) => {
          if (client.destroyed) return;
          to.write(bytes.subarray(0, left));
          left -= bytes.length;
          if (left > 0) return;
          proxy.cuts++;
          client.resetAndDestroy();
          // Data sent so far still arrives.
          service.end();
        });
      };
      pass(client, service);
      pass(service, client);
    });
    const proxy = new CuttingProxy(server, sockets);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
