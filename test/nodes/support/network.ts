import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { until } from '../../support/until';
import { Program } from './program';

/** Addresses for tests between networks (RFC 2544), which no real network has. */
const TEST_NETWORK = '198.18';

/** The last numbers are this machine's own. */
const OWN_NUMBER = 254;
const SERVER_NUMBER = 253;

/** Of no interface. */
const NOWHERE = '02:00:00:00:00:01';

/** Hosts with a network namespace each, at one switch, which this machine is at as well. Needs root, on Linux. */
export class Network {
  private readonly hosts: Host[] = [];
  private readonly subnet = `${TEST_NETWORK}.${randomInt(256)}`;
  /** The name of an interface has 15 characters at most. */
  private readonly bridge = `pets${randomInt(1_000_000)}`;

  /** @throws Error when this process may not make it */
  constructor() {
    try {
      ip('link', 'add', this.bridge, 'type', 'bridge');
    } catch (cause) {
      throw new Error('This test needs root on a Linux with network namespaces and bridges.', { cause });
    }
    for (const address of [this.address, this.serverAddress]) {
      ip('address', 'add', `${address}/24`, 'dev', this.bridge);
    }
    ip('link', 'set', this.bridge, 'up');
  }

  /** The address from which this machine asks its hosts. */
  private get address(): string {
    return `${this.subnet}.${OWN_NUMBER}`;
  }

  /** Another one of this machine, for a server that hosts can be cut off from by itself. */
  get serverAddress(): string {
    return `${this.subnet}.${SERVER_NUMBER}`;
  }

  /** Adds a host with an address of its own. */
  async addHost(): Promise<Host> {
    const number = this.hosts.length + 1;
    const host = await Host.create(`${this.subnet}.${number}`, this.bridge, `${this.bridge}-${number}`);
    this.hosts.push(host);
    return host;
  }

  async remove(): Promise<void> {
    for (const host of this.hosts) await host.remove();
    ip('link', 'delete', this.bridge);
  }
}

/** A host of a network. It has the files of this machine, and processes and a network of its own. */
export class Host {
  private constructor(
    readonly address: string,
    /** Its interface at the switch. */
    private readonly plug: string,
    /** Keeps its namespace. */
    private readonly keeper: Program,
  ) {}

  static async create(address: string, bridge: string, plug: string): Promise<Host> {
    const keeper = new Program(['unshare', '--net', 'sleep', 'infinity']);
    const own = readlinkSync('/proc/self/ns/net');
    await until(() => readlinkSync(`/proc/${keeper.pid}/ns/net`) !== own);
    ip('link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(keeper.pid));
    ip('link', 'set', plug, 'master', bridge, 'up');
    const host = new Host(address, plug, keeper);
    const inside = [...host.inNetwork, 'ip'];
    run([...inside, 'link', 'set', 'lo', 'up']);
    run([...inside, 'address', 'add', `${address}/24`, 'dev', 'eth0']);
    run([...inside, 'link', 'set', 'eth0', 'up']);
    return host;
  }

  /** What is put before a command to run it there, with processes of its own: none outlives the first one. */
  get through(): string[] {
    return [...this.inNetwork, 'unshare', '--pid', '--mount-proc', '--fork', '--kill-child=KILL'];
  }

  /** Loses all that it sends to these addresses; connections stay open. @returns ends that */
  cutOff(addresses: readonly string[]): () => void {
    const neighbours = [...this.inNetwork, 'ip', 'neighbour'];
    for (const address of addresses) {
      run([...neighbours, 'replace', address, 'lladdr', NOWHERE, 'dev', 'eth0', 'nud', 'permanent']);
    }
    return () => {
      for (const address of addresses) run([...neighbours, 'delete', address, 'dev', 'eth0']);
    };
  }

  /** Loses all that it sends and all that is sent to it; connections stay open. @returns ends that */
  unplug(): () => void {
    ip('link', 'set', this.plug, 'down');
    return () => ip('link', 'set', this.plug, 'up');
  }

  remove(): Promise<void> {
    return this.keeper.kill();
  }

  private get inNetwork(): string[] {
    return ['nsenter', `--net=/proc/${this.keeper.pid}/ns/net`];
  }
}

function ip(...words: string[]): void {
  run(['ip', ...words]);
}

function run([command = '', ...words]: readonly string[]): void {
  execFileSync(command, words, { stdio: 'pipe' });
}
