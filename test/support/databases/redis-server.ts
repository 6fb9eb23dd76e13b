import { makeFolder } from '../folders';
import { freePort } from '../processes/free-port';
import { ListeningProgram } from '../processes/listening-program';

const HOST = '127.0.0.1';
const PASSWORD = 'hunter2/#?';

/** A throw-away Redis server (Debian's) on the loopback address, in memory only, with a password. */
export class RedisServer {
  private readonly program = new ListeningProgram(this.port);
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
    await this.program.start('redis-server', [...memoryOnly, ...access]);
  }

  /** Sends a signal; SIGSTOP freezes it, with its connections open, until SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.program.signal(signal);
  }

  /** Ends it at once, if it runs; nothing it knew is kept. */
  kill(): Promise<void> {
    return this.program.kill();
  }
}
