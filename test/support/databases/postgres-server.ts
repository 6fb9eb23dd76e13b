import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { freePort } from '../processes/free-port';
import {
  giveTree,
  packagedPostgres,
  runnablePostgres,
  serverOwner,
  type ProcessOwner,
} from './postgres-installation';
import { hold, PostgresReaper, release } from './postgres-reaper';
import { LONGEST_WAIT_MS } from '../until';

const HOST = '127.0.0.1';
const LOG_LIMIT = 50_000;
const PORT_ATTEMPTS = 10;
/** A standby accepts read-only ones. */
const READY = /database system is ready to accept (read-only )?connections/;

type ServerProcess = ChildProcessByStdio<null, null, Readable>;

/** Fast shutdown, immediate shutdown, crash. SIGTERM would wait for every client to leave. */
export type EndingSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

/** A throw-away PostgreSQL server on the loopback address, with fsync on unless its settings say otherwise. */
export interface PostgresServer {
  /** Connects a superuser to the database `postgres`; the same after a restart. */
  readonly url: string;
  /** Temporary folder, removed by `stop()` or when the process that started the server ends. */
  readonly folder: string;
  /** Process id of the postmaster. Throws while the server is down. */
  readonly pid: number;
  /** The end of the server's log. */
  log(): string;
  /** Ends the server and resolves when each of its processes is gone. Its data and port stay for `start()`. */
  kill(signal: EndingSignal): Promise<void>;
  /** Starts the server again, on the same data and port, and resolves when it accepts connections. */
  start(): Promise<void>;
  /**
   * Ends the server, if it runs, and removes its folder.
   * @throws Error with the server's log when the server had ended without `kill()`
   */
  stop(): Promise<void>;
}

/**
 * Makes and starts a server of its own: a new cluster in a temporary folder, a free port, a random password.
 * The server ends with the calling process, however that one ends.
 * @param source folder with the `bin` of the PostgreSQL to run; the packaged one unless given
 * @param settings of the server besides its own, such as `fsync=off`
 * @param initdbOptions options of `initdb` besides its own
 * @throws Error with the server's log when it does not start
 */
export function startPostgresServer(
  source?: string,
  settings: readonly string[] = [],
  initdbOptions: readonly string[] = [],
): Promise<PostgresServer> {
  return startCluster((place) => createCluster(place, initdbOptions), source, settings);
}

/** Where a cluster is made, and its owner. */
export interface ClusterPlace {
  readonly initdb: string;
  readonly folder: string;
  readonly owner: ProcessOwner;
  readonly reaper: PostgresReaper;
}

/**
 * Starts a server on files of its own; see {@link startPostgresServer}.
 * @param make makes the files, in the {@link dataFolder} of the place, and gives the superuser's password
 */
export async function startCluster(
  make: (place: ClusterPlace) => Promise<string>,
  source = packagedPostgres(),
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-postgres-'));
  const reaper = new PostgresReaper(folder);
  try {
    const owner = await serverOwner();
    await giveTree(owner, folder);
    const { initdb, postgres } = await runnablePostgres(source, folder, owner);
    const password = await make({ initdb, folder, owner, reaper });
    const cluster = new Cluster(folder, password, reaper, (port) =>
      spawn(postgres, serverOptions(folder, port, settings), {
        ...childOptions(folder, owner),
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    await cluster.startOnFreePort();
    return cluster;
  } catch (error) {
    await reaper.end();
    throw error;
  }
}

class Cluster implements PostgresServer {
  private serverPort = 0;
  private output = '';
  private server: ServerProcess | undefined;
  private endedByItself = false;

  constructor(
    readonly folder: string,
    private readonly password: string,
    private readonly reaper: PostgresReaper,
    private readonly spawnServer: (port: number) => ServerProcess,
  ) {}

  get url(): string {
    return `postgres://postgres:${this.password}@${HOST}:${this.serverPort}/postgres`;
  }

  get pid(): number {
    const pid = this.server?.pid;
    if (pid === undefined) {
      throw new Error('The PostgreSQL server is down.');
    }
    return pid;
  }

  log(): string {
    return this.output;
  }

  async startOnFreePort(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.serverPort = await freePort(HOST);
      try {
        await this.start();
        return;
      } catch (error) {
        // Another process can take the port between the look and the start.
        if (attempt === PORT_ATTEMPTS || !this.output.includes('could not bind')) {
          throw error;
        }
        this.output = '';
      }
    }
  }

  async start(): Promise<void> {
    if (this.server) {
      throw new Error('The PostgreSQL server runs already.');
    }
    const server = this.spawnServer(this.serverPort);
    this.server = server;
    this.endedByItself = false;
    this.reaper.watch(server.pid);
    server.once('close', () => {
      this.server = undefined;
      this.endedByItself = true;
      this.reaper.watch(undefined);
    });
    await this.accepting(server);
    // A suite that forgets to stop its server must not keep Jest from ending: the reaper stops it then.
    release(server, server.stderr);
  }

  async kill(signal: EndingSignal): Promise<void> {
    const server = this.server;
    if (!server) {
      throw new Error('The PostgreSQL server is down.');
    }
    hold(server, server.stderr);
    // Every process of the server holds its standard error, so "close" comes when the last one is gone. A postmaster
    // refuses to start on data that a process of the former one still uses.
    const closed = once(server, 'close');
    server.kill(signal);
    await closed;
    this.endedByItself = false;
  }

  async stop(): Promise<void> {
    if (this.server) {
      await this.kill('SIGQUIT');
    }
    await this.reaper.end();
    if (this.endedByItself) {
      throw new Error(`The PostgreSQL server ended by itself. Its log:\n${this.output}`);
    }
  }

  private async accepting(server: ServerProcess): Promise<void> {
    const timeout = setTimeout(() => server.kill('SIGKILL'), LONGEST_WAIT_MS);
    let current = '';
    try {
      await new Promise<void>((resolve, reject) => {
        server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
          current = (current + chunk).slice(-LOG_LIMIT);
          this.output = (this.output + chunk).slice(-LOG_LIMIT);
          if (READY.test(current)) {
            resolve();
          }
        });
        server.once('error', reject);
        server.once('close', () => reject(new Error(`PostgreSQL did not start. Its log:\n${this.output}`)));
      });
    } finally {
      clearTimeout(timeout);
    }
  }
}

async function createCluster(
  { initdb, folder, owner, reaper }: ClusterPlace,
  options: readonly string[],
): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTree(owner, passwordFile);
  const running = promisify(execFile)(
    initdb,
    [
      `--pgdata=${dataFolder(folder)}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Only the files of the empty cluster; what the running server commits is synced.
      '--no-sync',
      ...options,
    ],
    childOptions(folder, owner),
  );
  reaper.watch(running.child.pid);
  await running;
  reaper.watch(undefined);
  return password;
}

function serverOptions(folder: string, port: number, settings: readonly string[]): string[] {
  const own = [`listen_addresses=${HOST}`, 'unix_socket_directories=', 'max_connections=200'];
  const options = [...own, ...settings].flatMap((setting) => ['-c', setting]);
  return ['-D', dataFolder(folder), '-p', String(port), ...options];
}

function childOptions(folder: string, owner: ProcessOwner) {
  return { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
}

/** Where the files of the cluster are. */
export function dataFolder(folder: string): string {
  return join(folder, 'data');
}
