import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProcessOwner } from '../../support/databases/postgres-installation';

/** Characters of its output that are kept. */
const OUTPUT_LIMIT = 50_000;

/** What is put before a command that is to run as another user, and to end with the process of the test as well. */
export function asOwner({ uid, gid }: Required<ProcessOwner>): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig', 'KILL'];
}

/** A program that runs beside a test, and ends with the process of the test at the latest. */
export class Program {
  /** The end of what it wrote. */
  output = '';
  /** Resolves when it has ended, and all that it has started. */
  readonly ended: Promise<unknown>;
  private readonly child;

  constructor(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.child = spawn('setpriv', ['--pdeathsig', 'KILL', ...words], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.child, 'close');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-OUTPUT_LIMIT);
      });
    }
  }

  get pid(): number {
    return this.child.pid as number;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
