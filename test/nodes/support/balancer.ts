import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../../support/folders';
import { ListeningProgram } from '../../support/processes/listening-program';
import { until } from '../../support/until';

const HOST = '127.0.0.1';

/** A load balancer in front of nodes on the loopback address. */
export abstract class Balancer {
  private readonly program: ListeningProgram;
  protected readonly folder = makeFolder();

  /** @param port where clients reach it */
  protected constructor(readonly port: number) {
    this.program = new ListeningProgram(port);
  }

  /** Whether requests would be passed on to this node. */
  abstract hasNode(nodePort: number): Promise<boolean>;

  /** Ends it, if it runs. */
  stop(): Promise<void> {
    return this.program.kill();
  }

  /**
   * Writes its configuration and starts it in the foreground.
   *
   * @param command gives program and arguments for the path of the configuration
   * @throws Error with its output when it ends instead
   */
  protected async launch(configuration: string, command: (file: string) => string[]): Promise<void> {
    const file = join(this.folder, 'balancer.conf');
    await writeFile(file, configuration);
    const [program = '', ...words] = command(file);
    await this.program.start(program, words, { cwd: this.folder });
  }
}

/**
 * HAProxy, which asks each node several times a second whether it is ready, and repeats no request: what a node does not
 * answer reaches the client.
 */
export class HaProxy extends Balancer {
  private constructor(
    port: number,
    private readonly statsPort: number,
  ) {
    super(port);
  }

  static async start(port: number, statsPort: number, nodePorts: readonly number[]): Promise<HaProxy> {
    const balancer = new HaProxy(port, statsPort);
    await balancer.launch(haProxyConfiguration(port, statsPort, nodePorts), (file) => [
      'haproxy',
      '-db',
      '-f',
      file,
    ]);
    return balancer;
  }

  async hasNode(nodePort: number): Promise<boolean> {
    return (await this.statistic(nodePort, 'status')) === 'UP';
  }

  /** Sends a node no more requests. Resolves when it has none under way. */
  async takeOut(nodePort: number): Promise<void> {
    await this.set(nodePort, 'drain');
    await until(async () => (await this.statistic(nodePort, 'scur')) === '0');
  }

  /** Sends requests to a node again that was taken out. Resolves when it has found it ready. */
  async takeIn(nodePort: number): Promise<void> {
    await this.set(nodePort, 'ready');
    await until(() => this.hasNode(nodePort));
  }

  private async statistic(nodePort: number, name: string): Promise<string | undefined> {
    const csv = await (await fetch(`http://${HOST}:${this.statsPort}/;csv`)).text();
    const [header = [], ...lines] = csv.split('\n').map((line) => line.split(','));
    return lines.find((line) => line[1] === `node${nodePort}`)?.[header.indexOf(name)];
  }

  private async set(nodePort: number, action: 'drain' | 'ready'): Promise<void> {
    const body = new URLSearchParams({ b: 'nodes', s: `node${nodePort}`, action });
    const response = await fetch(`http://${HOST}:${this.statsPort}/`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    const outcome = response.headers.get('location');
    if (!outcome?.endsWith('st=DONE')) throw new Error(`HAProxy did not ${action} a node: ${outcome}`);
  }
}

function haProxyConfiguration(port: number, statsPort: number, nodePorts: readonly number[]): string {
  // The port of the statistics comes first: HAProxy has started when the public one takes connections.
  return `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  # A slow machine must not make a node look as if it were gone.
  timeout check 10s
  retries 0

listen stats
  bind ${HOST}:${statsPort}
  stats enable
  stats uri /
  stats admin if TRUE

frontend public
  bind ${HOST}:${port}
  default_backend nodes

backend nodes
  balance roundrobin
  option httpchk
  http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host petstore.test
  http-check expect status 200
  default-server check inter 200ms fall 2 rise 2
${nodePorts.map((nodePort) => `  server node${nodePort} ${HOST}:${nodePort}`).join('\n')}
`;
}

/**
 * nginx, which asks no node anything: what a node refuses, or says it has not carried out, goes to the next one, creations
 * too, because they carry an Idempotency-Key.
 */
export class Nginx extends Balancer {
  static async start(port: number, nodePorts: readonly number[]): Promise<Nginx> {
    const balancer = new Nginx(port);
    await balancer.launch(nginxConfiguration(port, balancer.folder, nodePorts), (file) => [
      'nginx',
      ...['-c', file, '-p', balancer.folder, '-e', 'stderr'],
    ]);
    return balancer;
  }

  /** It looks at a node again when the time is over for which it avoids one that refused a connection. */
  async hasNode(nodePort: number): Promise<boolean> {
    const { status } = await fetch(`http://${HOST}:${nodePort}/health/ready`);
    await pause(NGINX_AVOIDS_S * 1_000);
    return status === 200;
  }
}

const NGINX_AVOIDS_S = 1;

function nginxConfiguration(port: number, folder: string, nodePorts: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream nodes {
${nodePorts.map((nodePort) => `    server ${HOST}:${nodePort} fail_timeout=${NGINX_AVOIDS_S};`).join('\n')}
    keepalive 16;
  }
  server {
    listen ${HOST}:${port};
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_next_upstream error timeout http_503 non_idempotent;
    }
  }
}
`;
}
