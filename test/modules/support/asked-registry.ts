import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry on loopback that has no package and knows what it was asked for. */
export class AskedRegistry {
  private paths: string[] = [];
  private readonly server = createServer(({ url = '' }, response) => {
    this.paths.push(url);
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** The address that npm is given. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Paths it was asked for since the last call. */
  asked(): string[] {
    const asked = this.paths;
    this.paths = [];
    return asked;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
