import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Pipe } from './pipe';

const PROJECT = join(__dirname, '..', '..', '..');

/** The built entries; `npm test` builds them first. */
const SERVICE_ENTRY = join('dist', 'src', 'main.js');
const CLI_ENTRY = join(PROJECT, 'dist', 'src', 'cli.js');

/** Where commands keep what Node has compiled: hundreds of services start sooner with it. */
const COMPILE_CACHE = join(PROJECT, 'dist', '.compile-cache');

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SpawnOptions {
  /** Working folder, where the service looks for `.env` and for its default database. */
  readonly cwd: string;
  /** Folder of the built project to run; this one unless given. */
  readonly project?: string;
  /** Options of Node itself, before the entry. */
  readonly nodeOptions?: readonly string[];
  /** A command, with its arguments, that runs Node in its place. */
  readonly through?: readonly string[];
  /** The whole command; Node with the entry unless given. */
  readonly command?: readonly string[];
  /** What it gets as standard error; a socket unless given, as Node makes it. */
  readonly stderr?: Pipe;
}

const LISTENING = 'The petstore service is listening.';

const running = new Set<ServiceProcess>();

/** Ends, by SIGKILL, every service process of this test file that still runs. For `afterEach`. */
export async function endServiceProcesses(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill('SIGKILL')));
}

/**
 * Runs a command of the admin CLI in a process of its own and gives what it wrote to stdout.
 *
 * @throws Error with what it wrote to stderr when it fails
 */
export async function runCli(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  ...words: string[]
): Promise<string> {
  const env = { PATH: process.env.PATH, ...environment };
  return (await promisify(execFile)(process.execPath, [CLI_ENTRY, ...words], { cwd, env })).stdout;
}

/** The service in a process of its own, as its operator runs it. */
export class ServiceProcess {
  /** Everything it wrote so far. */
  stdout = '';
  stderr = '';
  /** Resolves when the process has ended and all it wrote is here. */
  readonly ended: Promise<ProcessEnd>;
  private readonly child: ChildProcessByStdio<null, Readable, Readable | null>;
  private readonly errors: Readable;
  private readonly printsGuide: boolean;
  private end: ProcessEnd | undefined;
  private announcement: Record<string, unknown> | undefined;

  /**
   * @param environment its whole environment but for PATH: nothing of the developer's own reaches it. It listens on
   *   any free ports unless PORT and MANAGEMENT_PORT are given; an empty one is the default.
   */
  constructor(environment: Readonly<Record<string, string>>, options: SpawnOptions) {
    const { cwd, project = PROJECT, nodeOptions = [], through = [], stderr } = options;
    const entry = join(project, SERVICE_ENTRY);
    const inPlace = options.command ?? [...through, process.execPath, ...nodeOptions, entry];
    const [command = '', ...words] = inPlace;
    this.printsGuide = environment.NODE_ENV !== 'production';
    this.child = spawn(command, words, {
      cwd,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        MANAGEMENT_PORT: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...environment,
      },
      stdio: ['ignore', 'pipe', stderr?.writeEnd ?? 'pipe'],
    }) as ChildProcessByStdio<null, Readable, Readable | null>;
    stderr?.closeWriteEnd();
    this.errors = stderr?.readEnd ?? (this.child.stderr as Readable);
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.errors.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      running.delete(this);
      return (this.end = { code, signal });
    });
    running.add(this);
  }

  /**
   * Spawns it and waits until it listens.
   *
   * @throws Error with all it wrote when it ends instead
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    options: SpawnOptions,
  ): Promise<ServiceProcess> {
    const service = new ServiceProcess(environment, options);
    await service.listening();
    return service;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Root address, from the log. */
  get url(): string {
    return this.announced('url');
  }

  /** Root address of the management port, from the log. */
  get managementUrl(): string {
    return this.announced('management');
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The key of the start guide, if it shows one. */
  get printedKey(): string | undefined {
    return /^ {2}(petk_\w+)$/m.exec(this.stdout)?.[1];
  }

  /** The complete log lines so far. */
  log(): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The log lines of at least `warn`, but for those of transactions that take long, as they do on a busy machine. */
  warnings(): Record<string, unknown>[] {
    return this.log().filter(
      ({ level, context }) => Number(level) > 40 || (level === 40 && context !== 'Transactions'),
    );
  }

  /** Waits until it listens and has written its start guide, which it does unless in production. */
  async listening(): Promise<void> {
    await Promise.race([this.ended, this.started()]);
    if (!this.hasStarted()) {
      throw new Error(`The service ended (${JSON.stringify(this.end)}):\n${this.stdout}${this.stderr}`);
    }
  }

  /** Reads no more of what it writes to standard error. */
  stopReading(): void {
    this.errors.pause();
  }

  /** Reads what it has written and what it writes from now on. */
  readAgain(): void {
    this.errors.resume();
  }

  /** Closes the end of its standard error that is read. */
  stopReadingForGood(): void {
    this.errors.destroy();
  }

  /** Sends a signal; does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<ProcessEnd> {
    this.signal(signal);
    return this.ended;
  }

  /** `fetch` on a path of the service, with a key. */
  fetch(path: string, key: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
  }

  /** POSTs a text as JSON. */
  post(path: string, key: string, body: string): Promise<Response> {
    return this.fetch(path, key, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  /** From the log; which may grow long, so it is looked through once. */
  private announced(member: 'url' | 'management'): string {
    this.announcement ??= this.log().find((entry) => entry.msg === LISTENING);
    const url = this.announcement?.[member];
    if (typeof url !== 'string') throw new Error(`The service does not listen. It wrote:\n${this.stderr}`);
    return url;
  }

  /** Looks again whenever it writes something: how long a start takes, the machine decides. */
  private started(): Promise<void> {
    const outputs = [this.child.stdout, this.errors];
    return new Promise((resolve) => {
      const look = () => {
        if (!this.hasStarted()) return;
        outputs.forEach((output) => output.off('data', look));
        resolve();
      };
      outputs.forEach((output) => output.on('data', look));
      look();
    });
  }

  private hasStarted(): boolean {
    const listens = this.log().some((entry) => entry.msg === LISTENING);
    return listens && (!this.printsGuide || this.stdout.includes('Ctrl+C'));
  }
}
