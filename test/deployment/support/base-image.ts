import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A folder of this machine that is seen in a container. */
export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isWritable?: boolean;
}

/** What stands for the image that `Dockerfile` begins with. */
export interface BaseImage {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its programs and libraries: Debian's, read from this machine. */
  readonly mounts: readonly Mount[];
  /** Makes a root folder for a stage: all of the image that is not mounted. */
  makeRoot(folder: string): void;
}

const NAME = 'node:26-bookworm-slim';
const ACCOUNTS = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n';
const GROUPS = 'root:x:0:\nnode:x:1000:\n';

/**
 * The image's stand-in: the programs of Debian's essential packages, which are what its slim images have, this machine's
 * libraries, the Node.js that runs the tests, and npm. Nothing else of the machine is there, so no build can lean on
 * curl or git.
 *
 * @param folder where the programs are copied to; made here
 */
export function makeBaseImage(folder: string): BaseImage {
  const programs = join(folder, 'usr-bin');
  mkdirSync(programs, { recursive: true });
  execFileSync('cp', ['-P', '--preserve=mode', ...essentialPrograms(), programs]);
  const npm = npmFolder();
  return {
    name: NAME,
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_VERSION: process.versions.node,
    },
    mounts: [
      { from: programs, to: '/usr/bin' },
      { from: '/usr/lib', to: '/usr/lib' },
      ...(existsSync('/usr/lib64') ? [{ from: '/usr/lib64', to: '/usr/lib64' }] : []),
      { from: process.execPath, to: '/usr/local/bin/node' },
      { from: npm, to: '/usr/local/lib/node_modules/npm' },
    ],
    makeRoot(root) {
      for (const path of ['bin', 'lib', 'lib64', 'sbin']) {
        mkdirSync(join(root, 'usr', path), { recursive: true });
        symlinkSync(`usr/${path}`, join(root, path));
      }
      // Where something is mounted: there has to be something to mount it on.
      for (const path of ['dev', 'etc', 'home/node', 'proc', 'root/.npm', 'tmp', 'usr/local/bin']) {
        mkdirSync(join(root, path), { recursive: true });
      }
      mkdirSync(join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
      writeFileSync(join(root, 'usr/local/bin/node'), '');
      symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
      writeFileSync(join(root, 'etc/passwd'), ACCOUNTS);
      writeFileSync(join(root, 'etc/group'), GROUPS);
      writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
    },
  };
}

/** Programs of the packages that every Debian system has, by their paths on this one. */
function essentialPrograms(): string[] {
  const packages = command('dpkg-query', '--show', '--showformat=${Essential} ${Package}\n')
    .filter((line) => line.startsWith('yes '))
    .map((line) => line.slice('yes '.length));
  const paths = command('dpkg-query', '--listfiles', ...packages).filter((path) =>
    /^(?:\/usr)?\/s?bin\/[^/]+$/.test(path),
  );
  const byName = new Map(paths.filter((path) => existsSync(path)).map((path) => [basename(path), path]));
  return [...byName.values()];
}

function npmFolder(): string {
  // npm says where it is to what it runs; a test file that was started by hand has to look.
  const [found = ''] = process.env.npm_execpath
    ? [process.env.npm_execpath]
    : command('sh', '-c', 'command -v npm');
  return dirname(dirname(realpathSync(found)));
}

function command(name: string, ...words: string[]): string[] {
  return execFileSync(name, words, { encoding: 'utf8' }).trim().split('\n');
}
