import { type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { acceptsConnections } from '../databases/accepts-connections';
import { until } from '../until';

const HOST = '127.0.0.1';

/** A program that a test starts in the foreground, and that listens on a port of the loopback address. */
export class ListeningProgram {
  private output = '';
  private child: ChildProcessByStdio<null, Readable, Readable> | undefined;

  constructor(private readonly port: number) {}

  /** Resolves when it takes connections. @throws Error with its output when it ends instead */
  async start(
    program: string,
    words: readonly string[],
    options: Omit<SpawnOptions, 'stdio'> = {},
  ): Promise<void> {
    const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.output = '';
    let fault: Error | undefined;
    child.once('error', (error) => (fault = error));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    await until(
      async () =>
        fault !== undefined || child.exitCode !== null || (await acceptsConnections(HOST, this.port)),
    );
    if (fault ?? child.exitCode !== null)
      throw new Error(`${program} does not run: ${fault?.message ?? this.output}`);
  }

  /** Sends a signal; SIGSTOP freezes it, with its connections open, until SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Ends it at once, if it runs. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}
