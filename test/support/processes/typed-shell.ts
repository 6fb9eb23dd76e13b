import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { until } from '../until';

/** A shell on a pseudo-terminal, in which a person types. */
export class TypedShell {
  private output = '';
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;

  /** @param command one that starts a shell which prompts with `ready> ` */
  constructor(command: string, folder: string) {
    this.child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', PS1: 'ready> ' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** Types, and waits until the terminal has shown this after what was typed; gives it all. */
  async type(keys: string, shown: RegExp): Promise<string> {
    this.output = '';
    this.child.stdin.write(keys);
    await until(() => shown.test(this.output));
    return this.output;
  }

  /**
   * Empties the line, and waits for a new prompt.
   *
   * Not by Ctrl+C: bash shows no prompt after a signal that comes while it completes.
   */
  async discardLine(): Promise<void> {
    await this.type('\x15echo em""ptied\r', /emptied[^]*ready> /);
  }

  /** Ends the shell, whatever it does. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'close');
    // The end of the input ends the terminal, and with it the shell.
    this.child.stdin.destroy();
    this.child.kill('SIGTERM');
    await closed;
  }
}
