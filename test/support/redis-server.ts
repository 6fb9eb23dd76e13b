import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { makeFolder } from './folders';
import { freePort } from './free-port';

const HOST = '127.0.0.1';
const PASSWORD = 'hunter2/#?';
const READY = 'Ready to accept connections';

/** A throw-away Redis server (Debian's) on the loopback address, in memory only, with a password. */
export class RedisServer {
  private output = '';
  private process: ChildProcessByStdio<null, Readable, null> | undefined;
  private readonly folder = makeFolder();

  private constructor(private readonly port: number) {}

  /** Takes a free port; the server is down until {@link start}. */
  static async prepare(): Promise<RedisServer> {
    return new RedisServer(await freePort(HOST));
  }

  /** Takes a free port and starts. */
  static async run(): Promise<RedisServer> {
    const server = await RedisServer.prepare();
    await server.start();
    return server;
  }

  /** In the form of the setting `REDIS_URL`; the same after a restart. */
  get url(): string {
    return `redis://:${encodeURIComponent(PASSWORD)}@${HOST}:${this.port}/0`;
  }

  /**
   * Starts it, empty, and resolves when it takes connections.
   *
   * @throws Error with its output when it ends instead
   */
  async start(): Promise<void> {
    const memoryOnly = ['--save', '', '--appendonly', 'no', '--dir', this.folder];
    const access = ['--bind', HOST, '--port', String(this.port), '--requirepass', PASSWORD];
    const child = spawn('redis-server', [...memoryOnly, ...access], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    this.output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        if (this.output.includes(READY)) resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(`Redis does not run:\n${this.output}`)));
    });
  }

  /** Sends a signal; SIGSTOP freezes it, with its connections open, until SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  /** Ends it at once, if it runs; nothing it knew is kept. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}
