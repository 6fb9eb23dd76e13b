import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** As it is written; in the test kit of modules, which has no TypeScript, as it was compiled. */
const PROGRAM = ['mts', 'mjs']
  .map((extension) => join(__dirname, `postgres-reaper-process.${extension}`))
  .find((file) => existsSync(file)) as string;

/** Ends a PostgreSQL process and removes its folder when this process ends, even by SIGKILL. */
export class PostgresReaper {
  private readonly process;
  private readonly exited;

  /** `folder` belongs to the reaper from here on: only the reaper removes it. */
  constructor(folder: string) {
    this.process = spawn(process.execPath, [PROGRAM, folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // A session of its own: what interrupts the tests from a terminal must not reach it.
      detached: true,
      windowsHide: true,
    });
    this.exited = once(this.process, 'exit');
    release(this.process, this.process.stdin);
  }

  /** Names the one process to end; `undefined` when there is none. */
  watch(pid: number | undefined): void {
    this.process.stdin.write(`${pid ?? ''}\n`);
  }

  /**
   * Ends the watched process, removes the folder and resolves when both are gone.
   * @throws Error when the folder could not be removed
   */
  async end(): Promise<void> {
    hold(this.process, this.process.stdin);
    this.process.stdin.end();
    const [code] = (await this.exited) as [number | null];
    if (code !== 0) {
      throw new Error(`The reaper of the PostgreSQL server ended with ${code}: its folder may be left.`);
    }
  }
}

/** Lets this process end while the child runs. A pipe to a child is a socket, whatever its declared type. */
export function release(child: ChildProcess, pipe: Readable | Writable): void {
  child.unref();
  (pipe as Socket).unref();
}

/** Keeps this process alive until the child ends: the reverse of `release`. */
export function hold(child: ChildProcess, pipe: Readable | Writable): void {
  child.ref();
  (pipe as Socket).ref();
}
