import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { timed } from '../../support/http/timed-response';
import type { ProcessOwner } from '../../support/databases/postgres-installation';
import { variablesOf } from './deployed-files';
import type { Host } from './network';
import { blockNamed } from './operations-pages';
import { asOwner, Program } from './program';

const PATRONI_PORT = 8008;

/** How long a machine may take to say how it is, in milliseconds. */
const PATIENCE_MS = 2_000;

/** One server of the cluster, as Patroni on some machine sees it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** A host that runs Patroni, and through it PostgreSQL. */
export class DatabaseMachine {
  private patroni: Program | undefined;

  /**
   * @param configuration file of Patroni
   * @param environmentFile Patroni's variables
   * @param owner who runs both
   */
  constructor(
    readonly name: string,
    readonly host: Host,
    private readonly configuration: string,
    private readonly environmentFile: string,
    private readonly owner: Required<ProcessOwner>,
  ) {}

  start(): void {
    this.patroni = new Program(
      [...this.host.through, ...asOwner(this.owner), 'patroni', this.configuration],
      variablesOf(readFileSync(this.environmentFile, 'utf8')),
    );
  }

  /** Runs the commands that the operations page gives under a name on it, as root. @returns what they write to standard output */
  async follow(name: string): Promise<string> {
    // Debian's places and user, and those of the test.
    const commands = blockNamed(name)
      .replaceAll('/etc/patroni/config.yml', this.configuration)
      .replaceAll('/etc/patroni_env.conf', this.environmentFile)
      .replaceAll('-u postgres', `-u ${this.owner.uid}`);
    const inside = [
      '--target',
      String(this.init),
      '--pid',
      '--mount',
      '--net',
      'bash',
      '-euo',
      'pipefail',
      '-c',
    ];
    return (await promisify(execFile)('nsenter', [...inside, commands])).stdout;
  }

  /** Resolves when Patroni and all that it has started have ended. */
  get ended(): Promise<unknown> {
    return this.patroni?.ended ?? Promise.resolve();
  }

  /** Ends all of it, if it runs. */
  async stop(): Promise<void> {
    await this.patroni?.kill();
  }

  /** Stops every process of it, as a machine that hangs would. @returns lets them go on */
  pause(): () => void {
    const stopped = new Set<number>();
    // What is not stopped yet may make another one.
    for (
      let more = this.processes();
      more.length > 0;
      more = this.processes().filter((pid) => !stopped.has(pid))
    ) {
      for (const pid of more) {
        signal(pid, 'SIGSTOP');
        stopped.add(pid);
      }
    }
    return () => stopped.forEach((pid) => signal(pid, 'SIGCONT'));
  }

  /** Connects a superuser directly. */
  url(database: string): string {
    return `postgres://postgres:change-me@${this.host.address}:5432/${database}`;
  }

  /** Whether Patroni says that it is the primary, as HAProxy asks. */
  async isPrimary(): Promise<boolean> {
    return (await this.ask('/primary'))?.status === 200;
  }

  /** All servers of the cluster, as this one sees them; undefined when it does not respond. */
  async members(): Promise<readonly Member[] | undefined> {
    const response = await this.ask('/cluster');
    return response?.status === 200
      ? (JSON.parse(response.body) as { members: Member[] }).members
      : undefined;
  }

  /** The end of what Patroni and PostgreSQL wrote. */
  get log(): string {
    return this.patroni?.output ?? '';
  }

  private ask(path: string) {
    const url = `http://${this.host.address}:${PATRONI_PORT}${path}`;
    return timed(() => fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }));
  }

  /** The first of its processes. */
  private get init(): number {
    const pid = this.patroni?.pid;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  }

  private processes(): number[] {
    const namespace = namespaceOf(String(this.init));
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return numbers.filter((pid) => namespaceOf(pid) === namespace).map(Number);
  }
}

/** Signals a process, unless it has ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
