import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Mount } from './base-image';

/** What a container is made of. */
export interface ContainerOptions {
  /** Folder that is its root. */
  readonly root: string;
  readonly isRootWritable?: boolean;
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly cwd: string;
  /** `uid:gid` */
  readonly user: string;
  /** Whether it uses this machine's network, and does not have one of its own with nothing but loopback. */
  readonly hasHostNetwork?: boolean;
}

/**
 * The command line that runs a command in a container: namespaces of its own, a root folder of its own, no capability,
 * and, like there, process 1.
 */
export function containerCommand(options: ContainerOptions, words: readonly string[]): string[] {
  const { root, mounts, env, cwd, user } = options;
  return [
    'bwrap',
    ...[
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--die-with-parent',
      '--new-session',
      '--as-pid-1',
    ],
    ...(options.hasHostNetwork ? [] : ['--unshare-net']),
    ...[options.isRootWritable ? '--bind' : '--ro-bind', root, '/'],
    ...mounts.flatMap(({ from, to, isWritable }) => [isWritable ? '--bind' : '--ro-bind', from, to]),
    ...['--proc', '/proc', '--dev', '/dev', '--chdir', cwd, '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...asUser(user, words),
  ];
}

/** As `docker run --user --cap-drop ALL --security-opt no-new-privileges` does; root stays what it is, for a build. */
function asUser(user: string, words: readonly string[]): readonly string[] {
  const [uid = '', gid = ''] = user.split(':');
  if (uid === '0') return words;
  const identity = ['--reuid', uid, '--regid', gid, '--clear-groups'];
  return ['setpriv', ...identity, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--', ...words];
}

/** What a command in a container wrote and ended with. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<Container>();

/** Ends every container of this test file, by SIGKILL. */
export async function endContainers(): Promise<void> {
  await Promise.all([...running].map((container) => container.stop('SIGKILL')));
}

/** A running container. */
export class Container {
  /** Everything its first process wrote so far. */
  output = '';
  /** Its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;

  private constructor(
    private readonly options: ContainerOptions,
    child: ChildProcess,
    /** The first process, as this machine numbers it. */
    private readonly pid: number,
  ) {
    this.ended = once(child, 'close').then(([code]) => {
      running.delete(this);
      return code as number | null;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    running.add(this);
  }

  /** Starts a command in a new container. */
  static async start(options: ContainerOptions, words: readonly string[]): Promise<Container> {
    const [program = '', ...rest] = containerCommand(options, words);
    const child = spawn(program, ['--json-status-fd', '3', ...rest], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [status] = (await once(createInterface(child.stdio[3] as Readable), 'line')) as [string];
    const { 'child-pid': pid } = JSON.parse(status) as { 'child-pid': number };
    return new Container(options, child, pid);
  }

  /** Runs a command beside the first process, as `docker exec` does. Does not throw when it fails. */
  async execute(...words: string[]): Promise<CommandEnd> {
    const { env, user } = this.options;
    const inside = [
      '--target',
      `${this.pid}`,
      '--mount',
      '--net',
      '--pid',
      '--ipc',
      '--uts',
      '--root',
      '--wd',
    ];
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const command = ['env', '-i', ...variables, ...asUser(user, words)];
    try {
      const { stdout, stderr } = await promisify(execFile)('nsenter', [...inside, '--', ...command]);
      return { code: 0, stdout, stderr };
    } catch (error) {
      return error as CommandEnd;
    }
  }

  /** Sends a signal to the first process and waits for its end. */
  stop(signal: NodeJS.Signals): Promise<number | null> {
    process.kill(this.pid, signal);
    return this.ended;
  }
}
