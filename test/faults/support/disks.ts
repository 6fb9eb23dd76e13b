import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Where a service keeps its SQLite file, and how to leave it no room there. */
export interface Disk {
  /** What is put before the command of the service. */
  readonly through: readonly string[];
  /** The database file, as the service knows it. */
  readonly file: string;
  /** The database file, as this process reaches it. */
  fileFromHere(pid: number): string;
  /** Takes all room away. */
  fill(pid: number): void;
  /** Gives it back. */
  clear(pid: number): void;
}

/** The disk is big enough, but no file may grow: writes fail with EFBIG, as on a file system with a limit of its own. */
export function limitedFiles(folder: string): Disk {
  const file = join(folder, 'pets.sqlite');
  const limit = (pid: number, soft: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`]);
  return {
    through: [],
    file,
    fileFromHere: () => file,
    fill: (pid) => limit(pid, String(Math.max(statSync(file).size, statSync(`${file}-wal`).size))),
    clear: (pid) => limit(pid, 'unlimited'),
  };
}

/** A small file system in memory, mounted for the service alone; what is full gives ENOSPC. */
export function smallFileSystem(folder: string): Disk {
  const file = join(folder, 'pets.sqlite');
  const fromHere = (pid: number, path: string) => join(`/proc/${pid}/root`, path);
  const ballast = (pid: number) => fromHere(pid, join(folder, 'ballast'));
  return {
    through: inOwnNamespace(folder, 'exec "$@"'),
    file,
    fileFromHere: (pid) => fromHere(pid, file),
    fill: (pid) => writeUntilFull(ballast(pid)),
    clear: (pid) => rmSync(ballast(pid)),
  };
}

/** Why {@link smallFileSystem} cannot be had on this machine; undefined when it can. */
export function whyNoFileSystem(folder: string): string | undefined {
  const [command = '', ...words] = inOwnNamespace(folder, 'true');
  try {
    execFileSync(command, words, { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return (error as { stderr?: Buffer }).stderr?.toString().trim() || String(error);
  }
}

/** Root may mount. A user namespace lets every other user do so, where the system allows such namespaces. */
function inOwnNamespace(folder: string, then: string): string[] {
  const mount = `mount -t tmpfs -o size=12m petstore "$0" && ${then}`;
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...user, '--mount', 'sh', '-c', mount, folder];
}

function writeUntilFull(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const block = Buffer.alloc(4_096); ;) writeSync(descriptor, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(descriptor);
  }
}
