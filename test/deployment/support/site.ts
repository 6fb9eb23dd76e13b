import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import type { ListeningProgram } from '../../support/processes/listening-program';
import { type ProcessEnd, runCli, ServiceProcess } from '../../support/processes/service-process';
import { until } from '../../support/until';
import type { Place } from './proxies';
import { SlowLink } from './slow-link';

const HOST = '127.0.0.1';

/** How a pet is added. */
interface Adding {
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
  readonly status?: 'pending';
}

/** A response that was read whole. */
interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** @throws Error where there is nothing to replace: the test would try something else than it says */
export function replacing(...pairs: readonly (readonly [string, string])[]) {
  return (text: string) =>
    pairs.reduce((changed, [from, to]) => {
      if (!changed.includes(from)) throw new Error(`The configuration has no ${from}.`);
      return changed.replaceAll(from, to);
    }, text);
}

/** A service of two processes behind a proxy, with slow links between. */
export class Site {
  private constructor(
    private readonly nodes: [ServiceProcess, ServiceProcess],
    readonly links: readonly [SlowLink, SlowLink],
    private readonly key: string,
    private readonly proxy: ListeningProgram,
    private readonly base: string,
    private readonly folder: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async open(
    launch: (place: Place) => Promise<ListeningProgram>,
    change: Place['change'],
    settings: Record<string, string> = {},
  ): Promise<Site> {
    const folder = makeFolder();
    const port = await freePort(HOST);
    const base = `http://${HOST}:${port}/petstore/v1`;
    const environment = { TRUST_PROXY: 'loopback', PUBLIC_BASE_URL: base, ...settings };
    // Not one that the system gives out: it is to be free when the process is started again.
    const start = async () =>
      ServiceProcess.start({ ...environment, PORT: String(await freePort(HOST)) }, { cwd: folder });
    const nodes: Site['nodes'] = [await start(), await start()];
    const words = ['--name', 'client', '--scopes', 'pets:read,pets:write', '--json'];
    const { key } = JSON.parse(await runCli(settings, folder, 'keys', 'create', ...words)) as { key: string };
    const links = [await SlowLink.to(nodes[0].port), await SlowLink.to(nodes[1].port)] as const;
    const targets = [links[0].port, links[1].port] as const;
    const proxy = await launch({ folder, port, scheme: 'http', targets, ...(change && { change }) });
    const site = new Site(nodes, links, key, proxy, base, folder, environment);
    await until(async () => (await site.get('limit=1')).status === 200);
    return site;
  }

  async close(): Promise<void> {
    await this.proxy.kill();
    for (const link of this.links) link.close();
  }

  /**
   * Stops a process and starts it again on its port, as an orchestrator does.
   *
   * @returns how it ended, when the proxy sends requests to it again
   */
  async restart(which: 0 | 1): Promise<ProcessEnd> {
    const { port } = this.nodes[which];
    const link = this.links[which];
    // It closes its port at once: by then the link has to refuse connections, too.
    if (this.environment.DRAIN_DELAY === '0s') link.refuse();
    const end = await this.nodes[which].kill('SIGTERM');
    const environment = { ...this.environment, PORT: String(port) };
    this.nodes[which] = await ServiceProcess.start(environment, { cwd: this.folder });
    await link.accept();
    await until(() => this.nodes[which].stderr.includes('"/v1/pets"'));
    return end;
  }

  /** Begins a creation whose body is sent by the caller. */
  begin(headers: Record<string, string>, agent?: Agent) {
    return request(`${this.base}/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(agent && { agent }),
    });
  }

  async post(name: string, { headers = {}, agent, status }: Adding = {}): Promise<Reply> {
    const body = JSON.stringify({ name, categoryId: 1, status });
    const sent = this.begin({ 'content-length': String(Buffer.byteLength(body)), ...headers }, agent);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return read(response);
  }

  /** Adds a pet. @returns the status */
  async create(name: string, adding?: Adding): Promise<number> {
    return (await this.post(name, adding)).status;
  }

  /** Adds a pet, again where HAProxy has refused it: the service has not got what its process had no place for. */
  async add(name: string, adding?: Adding): Promise<number> {
    for (;;) {
      const status = await this.create(name, adding);
      if (status !== 503) return status;
    }
  }

  async ask(query: string, agent?: Agent): Promise<IncomingMessage> {
    const sent = request(`${this.base}/pets?${query}`, {
      headers: { authorization: `Bearer ${this.key}` },
      ...(agent && { agent }),
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  async get(query: string, agent?: Agent): Promise<Reply> {
    return read(await this.ask(query, agent));
  }

  /** The names of all pets. */
  async names(): Promise<string[]> {
    const names: string[] = [];
    for (let query = 'limit=100'; query !== '';) {
      const { headers, text } = await this.get(query);
      const pets = JSON.parse(text) as { name: string }[];
      names.push(...pets.map(({ name }) => name));
      query = /\?([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? '';
    }
    return names;
  }
}

async function read(response: IncomingMessage): Promise<Reply> {
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
