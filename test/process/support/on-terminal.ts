import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { until } from '../../support/until';

const running = new Set<ServiceOnTerminal>();

/** Closes every terminal of this test file that is still open, which ends the service on it. For `afterEach`. */
export async function closeTerminals(): Promise<void> {
  await Promise.all([...running].map((service) => service.close()));
}

const ENTRY = join(__dirname, '..', '..', '..', 'dist', 'src', 'main.js');

/** The service on a terminal of its own, as a person starts it. */
export class ServiceOnTerminal {
  /** What the terminal has shown, without its colours. */
  shown = '';
  /** Resolves with the exit code when the service has ended and all it wrote has been shown. */
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(environment: Readonly<Record<string, string>>, cwd: string) {
    this.child = spawn(
      'script',
      ['--quiet', '--return', '--command', `exec '${process.execPath}' '${ENTRY}'`, '/dev/null'],
      {
        cwd,
        env: {
          PATH: process.env.PATH,
          PORT: '0',
          MANAGEMENT_PORT: '0',
          NODE_ENV: 'production',
          ...environment,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      return code as number | null;
    });
    running.add(this);
    this.child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => (this.shown += text.replaceAll(/\u001b\[\d+m/g, '')));
  }

  /** Starts it and waits until it listens. */
  static async start(environment: Readonly<Record<string, string>>, cwd: string): Promise<ServiceOnTerminal> {
    const service = new ServiceOnTerminal(environment, cwd);
    await until(() => /url: "[^"]+"/.test(service.shown));
    return service;
  }

  /** Root address. */
  get url(): string {
    return /url: "([^"]+)"/.exec(this.shown)?.[1] ?? '';
  }

  /** Closes the terminal and waits for the end. */
  async close(): Promise<void> {
    this.thaw();
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Types something. */
  type(text: string): void {
    this.child.stdin.write(text);
  }

  /** The terminal shows nothing more. */
  freeze(): void {
    this.child.stdout.pause();
  }

  /** The terminal shows what has been written, and what is written from now on. */
  thaw(): void {
    this.child.stdout.resume();
  }
}
