import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from '../folders';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** A pipe of the system, as shells and container runtimes make it; what Node makes for its children are sockets. */
export class Pipe {
  readonly readEnd: Socket;
  /** File descriptor for the process that writes. */
  readonly writeEnd: number;
  private readonly path = join(makeFolder(), 'pipe');

  constructor() {
    execFileSync('mkfifo', [this.path]);
    this.readEnd = new Socket({ fd: openSync(this.path, O_RDONLY | O_NONBLOCK), writable: false });
    this.writeEnd = openSync(this.path, O_WRONLY);
  }

  /** Writes lines until no byte more fits in. */
  fill(): void {
    const writer = openSync(this.path, O_WRONLY | O_NONBLOCK);
    try {
      for (;;) writeSync(writer, '\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    } finally {
      closeSync(writer);
    }
  }

  /** To be called when the process that writes has been started: the pipe then ends with it. */
  closeWriteEnd(): void {
    closeSync(this.writeEnd);
  }
}
