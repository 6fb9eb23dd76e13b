import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../support/processes/free-port';
import { ListeningProgram } from '../../support/processes/listening-program';
import { until } from '../../support/until';
import { PROJECT } from './dockerfile';

export const HOST = '127.0.0.1';
export const CONFIGURATION = join(PROJECT, 'deploy', 'balancer', 'haproxy.cfg');

/** Whether HAProxy of this machine, from version 3.3 on, sends its files of errors for what it cannot read as HTTP. */
export function haproxySendsFiles(): boolean {
  const told = execFileSync('haproxy', ['-v'], { encoding: 'utf8' });
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(told) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 3);
}

/** Starts the balancer of this project. Resolves when a process behind it is ready. */
export async function startBalancer(settings: Record<string, string>) {
  const port = await freePort(HOST);
  const balancer = new ListeningProgram(port);
  await balancer.start('haproxy', ['-db', '-f', CONFIGURATION], {
    env: {
      ...process.env,
      BALANCER_PORT: String(port),
      BALANCER_METRICS: `${HOST}:${await freePort(HOST)}`,
      ...settings,
    },
  });
  await until(async () => (await fetch(`http://${HOST}:${port}/health/ready`)).status === 200);
  return { balancer, port };
}

/** A process behind the balancer whose responses to operations wait until they are let go. */
export class HeldProcess {
  private readonly server: Server;
  /** Connections on which an operation came. */
  readonly operationConnections = new Set<Socket>();
  /** The targets of the operations that came, in their order. */
  readonly targets: string[] = [];
  /** It is killed again and again: no operation gets a response, while it looks ready. */
  isKilled = false;
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];

  constructor() {
    this.server = createServer((asked, response) => {
      const { url = '' } = asked;
      if (url.startsWith('/v1/')) {
        this.operationConnections.add(asked.socket);
        this.targets.push(url);
      }
      if (this.isKilled && url.startsWith('/v1/')) asked.destroy();
      else if (url.startsWith('/v1/held')) this.waiting.push({ request: asked, response });
      else response.end(JSON.stringify({ url, headers: asked.headers }));
    });
  }

  async start(): Promise<string> {
    this.server.listen(0, HOST);
    await once(this.server, 'listening');
    return this.address;
  }

  get address(): string {
    return `${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  letGo(): void {
    for (const { response } of this.waiting.splice(0)) response.end('{}');
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** What the stand-in of the service tells of a request that reached it. */
export interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}
