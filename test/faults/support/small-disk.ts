import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { makeFolder } from '../../support/folders';
import { giveTree, serverOwner } from '../../support/databases/postgres-installation';

/** What the process does that holds the file system: whatever it reads. Other users, root too, cannot make files there. */
const HOLDER = 'mount -t tmpfs -o size=24m petstore "$0" && cd "$0" && echo mounted && exec sh';

/**
 * A small file system in memory for a PostgreSQL server, which outlives the server. It is mounted for a process of its own, and reached
 * through that process.
 */
export class SmallDisk {
  private constructor(
    private readonly holder: ChildProcessByStdio<Writable, Readable, Readable>,
    private readonly folder: string,
  ) {}

  /** @returns the disk, or why this machine has none */
  static async mount(): Promise<SmallDisk | string> {
    const folder = makeFolder();
    const owner = await serverOwner();
    await giveTree(owner, folder);
    const words = ['--map-root-user', '--mount', 'sh', '-c', HOLDER, folder];
    const holder = spawn('unshare', words, { ...owner, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    holder.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const mounted = once(holder.stdout, 'data').then(() => new SmallDisk(holder, folder));
    return Promise.race([mounted, once(holder, 'close').then(() => output.trim())]);
  }

  /** Where it is, for this process and for the server. */
  get path(): string {
    return join(`/proc/${this.holder.pid}/root`, this.folder);
  }

  /** Takes all room away. */
  fill(): Promise<void> {
    return this.run('cat /dev/zero > ballast');
  }

  /** Gives it back. */
  clear(): Promise<void> {
    return this.run('rm ballast');
  }

  /** Ends it; what is on it is gone. */
  async unmount(): Promise<void> {
    const closed = once(this.holder, 'close');
    this.holder.stdin.end();
    await closed;
  }

  private async run(command: string): Promise<void> {
    const done = once(this.holder.stdout, 'data');
    this.holder.stdin.write(`${command} 2>&-; echo done\n`);
    await done;
  }
}
