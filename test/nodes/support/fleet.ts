import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import { endServiceProcesses, ServiceProcess } from '../../support/processes/service-process';
import { until } from '../../support/until';
import { HaProxy } from './balancer';
import { Load } from './load';

const HOST = '127.0.0.1';
const CLIENTS = 8;

/** How many requests the nodes there are serve before another one is replaced. */
const REQUESTS_BETWEEN = 50;

/** One node stops, and one of a release takes its place. */
export type Replacement = readonly [place: number, release: number];

/** Nodes of several releases behind HAProxy, of which one after another is replaced while clients work. */
export class Fleet {
  private readonly nodes = new Map<number, ServiceProcess>();
  private readonly cwd = makeFolder();

  private constructor(
    private readonly ports: readonly number[],
    private readonly balancer: HaProxy,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly releases: readonly string[],
    readonly load: Load,
  ) {}

  /**
   * @param environment settings of each node, with the key of the clients as BOOTSTRAP_API_KEY
   * @param releases the folder of each release, built
   */
  static async behindHaProxy(
    size: number,
    environment: Readonly<Record<string, string>>,
    releases: readonly string[],
  ): Promise<Fleet> {
    const ports: number[] = [];
    while (ports.length < size) ports.push(await freePort(HOST));
    const balancer = await HaProxy.start(await freePort(HOST), await freePort(HOST), ports);
    const load = new Load(balancer.port, environment.BOOTSTRAP_API_KEY as string);
    return new Fleet(ports, balancer, environment, releases, load);
  }

  /** Starts nodes of these releases, and then the clients. */
  async start(releases: readonly number[]): Promise<void> {
    for (const [place, release] of releases.entries()) await this.run(place, release);
    this.load.start(CLIENTS);
  }

  async replace(replacements: readonly Replacement[]): Promise<void> {
    for (const [place, release] of replacements) {
      await this.progress();
      await this.balancer.takeOut(this.ports[place] as number);
      await this.nodes.get(place)?.kill('SIGTERM');
      await this.run(place, release);
    }
    await this.progress();
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.balancer.stop();
    await endServiceProcesses();
  }

  private async run(place: number, release: number): Promise<void> {
    const port = this.ports[place] as number;
    const node = await ServiceProcess.start(
      { ...this.environment, PORT: String(port) },
      { cwd: this.cwd, project: this.releases[release] },
    );
    this.nodes.set(place, node);
    await this.balancer.takeIn(port);
  }

  private async progress(): Promise<void> {
    const enough = this.load.requests + REQUESTS_BETWEEN;
    await until(() => this.load.requests >= enough);
  }
}
