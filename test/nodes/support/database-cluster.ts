import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { acceptsConnections } from '../../support/databases/accepts-connections';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import { giveTree, type ProcessOwner, serverOwner } from '../../support/databases/postgres-installation';
import { until } from '../../support/until';
import { DatabaseMachine } from './database-machine';
import { deployedFile, variablesOf } from './deployed-files';
import { Network } from './network';
import { asOwner, Program } from './program';

/** Read before the file of deploy/failover, as its `haproxy.env` says. */
const BALANCER = join(__dirname, '..', '..', '..', 'deploy', 'balancer', 'haproxy.cfg');

/** Time between two looks, in milliseconds: each costs Patroni a question to etcd. */
const LOOK_MS = 250;

const MACHINES = ['pg-1', 'pg-2', 'pg-3'];

const PGBOUNCER_PORT = '6432';

/** In the files of deploy/failover: of HAProxy those of the primary and of the replicas, and that of PgBouncer. */
const PORTS = ['5000', '5001', '5002', '5003', PGBOUNCER_PORT];

/**
 * Three database machines with Patroni, an etcd beside them, and HAProxy in front, from the files of deploy/failover. They are
 * as they stand there, but for addresses, ports and folders, and for one etcd in place of three.
 */
export class DatabaseCluster {
  readonly machines: DatabaseMachine[] = [];
  private readonly network = new Network();
  private readonly programs: Program[] = [];
  /** Where HAProxy is reached, by the ports of the files. */
  private readonly ports = new Map<string, number>();

  private constructor() {}

  /** Starts all of it and waits until it is settled. */
  static async start(): Promise<DatabaseCluster> {
    const cluster = new DatabaseCluster();
    try {
      await cluster.launch();
      await cluster.settled();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The settings with which the service finds it. */
  get environment(): Record<string, string> {
    return variablesOf(this.withPorts(deployedFile('petstore.env')));
  }

  /** Starts PgBouncer between the service and HAProxy. @returns the settings with which the service finds it */
  async startPgBouncer(): Promise<Record<string, string>> {
    const folder = makeFolder();
    // It refuses to run as root.
    chmodSync(folder, 0o755);
    const [configuration, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')];
    const text = deployedFile('pgbouncer.ini')
      .replaceAll(/(?<=port ?= ?)\d+/g, (port) => String(this.ports.get(port)))
      .replace('/etc/pgbouncer/userlist.txt', users);
    writeFileSync(configuration, text);
    writeFileSync(users, deployedFile('userlist.txt'));
    this.programs.push(new Program([...asOwner(await databaseOwner()), 'pgbouncer', configuration]));
    const port = this.ports.get(PGBOUNCER_PORT) as number;
    await this.patiently(() => acceptsConnections('127.0.0.1', port));
    return { ...this.environment, ...variablesOf(this.withPorts(deployedFile('petstore-pgbouncer.env'))) };
  }

  /** Connects as the superuser, by way of HAProxy. */
  superuserUrl(database: string): string {
    const url = new URL(this.environment.DATABASE_URL as string);
    url.username = 'postgres';
    url.pathname = `/${database}`;
    return url.href;
  }

  /** The machine that Patroni says is the primary. */
  async primary(): Promise<DatabaseMachine> {
    for (const machine of this.machines) if (await machine.isPrimary()) return machine;
    throw new Error('There is no primary.');
  }

  /** Cuts a machine off from etcd and from the other two, not from the service. @returns connects it again */
  cutOff({ host }: DatabaseMachine): () => void {
    const others = this.machines.map((machine) => machine.host.address).filter((one) => one !== host.address);
    return host.cutOff([...others, this.network.serverAddress]);
  }

  /** Waits until another machine than this one is the primary. */
  async replaced(former: DatabaseMachine): Promise<void> {
    const others = this.machines.filter((machine) => machine !== former);
    await this.patiently(async () =>
      (await Promise.all(others.map((one) => one.isPrimary()))).includes(true),
    );
  }

  /** Waits until there are a primary, a synchronous replica and another replica, of one history. */
  settled(): Promise<void> {
    return this.patiently(async () => {
      const seen = await Promise.all(this.machines.map((machine) => machine.members()));
      return seen.every((members = []) => {
        const roles = members.map(({ role }) => role).sort();
        const timelines = new Set(members.map(({ timeline }) => timeline));
        const areRunning = members.every(({ state }) => state === 'running' || state === 'streaming');
        return roles.join() === 'leader,replica,sync_standby' && timelines.size === 1 && areRunning;
      });
    });
  }

  async stop(): Promise<void> {
    for (const machine of this.machines) await machine.stop();
    for (const program of this.programs) await program.kill();
    await this.network.remove();
  }

  private async launch(): Promise<void> {
    const folder = makeFolder();
    const owner = await databaseOwner();
    for (const name of MACHINES) this.machines.push(await machineIn(this.network, name, owner));
    for (const port of PORTS) this.ports.set(port, await freePort('127.0.0.1'));
    const etcd = variablesOf(deployedFile('etcd.env').replaceAll('10.0.0.11', this.network.serverAddress));
    const alone = {
      ETCD_INITIAL_CLUSTER: `${etcd.ETCD_NAME}=${etcd.ETCD_INITIAL_ADVERTISE_PEER_URLS}`,
      ETCD_DATA_DIR: join(folder, 'etcd'),
    };
    this.programs.push(new Program(['etcd'], { ...etcd, ...alone }));
    const configuration = join(folder, 'database.cfg');
    writeFileSync(configuration, this.withPorts(deployedFile('database.cfg')));
    const { EXTRAOPTS: _, ...variables } = variablesOf(deployedFile('haproxy.env'));
    const addresses = this.machines.map(({ host }, index) => [`PG_${index + 1}`, host.address]);
    const free = {
      BALANCER_PORT: String(await freePort('127.0.0.1')),
      BALANCER_METRICS: `127.0.0.1:${await freePort('127.0.0.1')}`,
    };
    const environment = { ...variables, ...Object.fromEntries(addresses), ...free } as Record<string, string>;
    this.programs.push(new Program(['haproxy', '-db', '-f', BALANCER, '-f', configuration], environment));
    for (const machine of this.machines) machine.start();
  }

  private withPorts(text: string): string {
    return text.replaceAll(/127\.0\.0\.1:(\d+)/g, (_, port: string) => `127.0.0.1:${this.ports.get(port)}`);
  }

  /** @throws Error with what the programs wrote when it does not come true */
  private async patiently(condition: () => Promise<boolean>): Promise<void> {
    try {
      await until(async () => {
        await pause(LOOK_MS);
        return condition();
      });
    } catch (cause) {
      const logs = [...this.machines.map(({ log }) => log), ...this.programs.map(({ output }) => output)];
      throw new Error(logs.map((log) => log.slice(-5_000)).join('\n\n'), { cause });
    }
  }
}

/** Runs one statement on a server. */
export async function runAt<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 3_000 });
  // It may be cut at any time.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** This test runs as root, which neither PostgreSQL nor PgBouncer takes. */
async function databaseOwner(): Promise<Required<ProcessOwner>> {
  return (await serverOwner()) as Required<ProcessOwner>;
}

async function machineIn(
  network: Network,
  name: string,
  owner: Required<ProcessOwner>,
): Promise<DatabaseMachine> {
  const [installed] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  if (!installed) throw new Error('This test needs PostgreSQL with its tools: apt-get install postgresql.');
  const folder = makeFolder();
  mkdirSync(join(folder, 'home'));
  const configuration = join(folder, 'patroni.yaml');
  const text = deployedFile('patroni.yaml')
    .replace('/var/lib/postgresql/15/petstore', join(folder, 'data'))
    .replace('/usr/lib/postgresql/15/bin', installed)
    .replace('/var/lib/postgresql/petstore.pgpass', join(folder, 'home', 'pgpass'));
  writeFileSync(configuration, text);
  const host = await network.addHost();
  const environmentFile = join(folder, 'patroni.env');
  const variables = deployedFile('patroni.env')
    .replaceAll('pg-1', name)
    .replaceAll(/10\.0\.0\.1\b/g, host.address)
    .replace(/(PATRONI_ETCD_HOSTS)=.*/, `$1=${network.serverAddress}:2379`);
  writeFileSync(environmentFile, variables);
  await giveTree(owner, folder);
  return new DatabaseMachine(name, host, configuration, environmentFile, owner);
}
