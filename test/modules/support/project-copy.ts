import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type CommandResult, resultOf } from '../../support/processes/command';
import { linkPackages } from '../../support/processes/copied-build';
import { makeFolder } from '../../support/folders';

const PROJECT = resolve(__dirname, '..', '..', '..');

/** What a checkout does not have. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', '.env', '.types.tsbuildinfo']);

/** How the files of a copy differ from those of the project; paths with forward slashes, sorted. */
export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Commands that run until they are told to end. */
export interface BackgroundCommands {
  /** Ends them and all they have started; gives what they did when nothing of it runs any more. */
  end(): Promise<CommandResult>;
}

/** A throw-away copy of the project, with its packages: what a team does to the project is tried in one. */
export class ProjectCopy {
  readonly folder = makeFolder();

  /** @param hasOwnPackages whether packages can be installed into it: it takes seconds more */
  constructor(hasOwnPackages = false) {
    // Some tests in the copy run as a user without rights.
    chmodSync(this.folder, 0o755);
    for (const name of readdirSync(PROJECT).filter((entry) => !LEFT_OUT.has(entry))) {
      cpSync(join(PROJECT, name), join(this.folder, name), { recursive: true });
    }
    const packages = join(this.folder, 'node_modules');
    if (hasOwnPackages) copyPackages(packages);
    else linkPackages(packages, this.folder);
  }

  /**
   * Runs shell commands in the copy, as a person does: none of the environment of the tests reaches them.
   *
   * @param environment added to {@link environment}
   */
  run(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: this.folder,
      env: { ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return resultOf(child);
  }

  /**
   * Starts shell commands that end when they are told to, or when the tests end, however those do.
   *
   * npm and its shell do not hand signals on to what they run: so it is a process group, which ends itself, all of
   * it, at the end of its input.
   */
  start(commands: string): BackgroundCommands {
    const child = spawn('bash', ['-c', `{ ${commands}\n} & read -r; kill -TERM 0`], {
      cwd: this.folder,
      env: this.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    // Comes when the last process of the group has closed the outputs.
    const ended = resultOf(child);
    return {
      end: () => {
        child.stdin.end();
        return ended;
      },
    };
  }

  /**
   * Runs commands that must succeed.
   *
   * @returns what they wrote to standard output
   * @throws Error with all they wrote, when they do not
   */
  async succeed(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(commands, environment);
    if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  /** Removes the copy. */
  dispose(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Compares the copy with the project. */
  changes(): Changes {
    const before = filesOf(PROJECT);
    const after = filesOf(this.folder);
    return {
      added: after.filter((path) => !before.includes(path)),
      removed: before.filter((path) => !after.includes(path)),
      changed: after.filter((path) => before.includes(path) && this.read(path) !== original(path)),
    };
  }

  /** What commands find: the Node.js of the project first, and nothing of the tests. */
  get environment(): Record<string, string | undefined> {
    const PATH = `${join(this.folder, 'node_modules', '.bin')}:${dirname(process.execPath)}:${process.env.PATH}`;
    // Where a network has an authority of its own, npm is told of it so.
    const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
    return { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_prefer_offline: 'true' };
  }
}

/** The packages of the project, by hard links where that goes: npm replaces files, all but the list that it keeps of them. */
function copyPackages(to: string): void {
  const from = join(PROJECT, 'node_modules');
  try {
    execFileSync('cp', ['--archive', '--link', from, to], { stdio: 'pipe' });
  } catch {
    execFileSync('cp', ['--archive', from, to]);
  }
  rmSync(join(to, '.package-lock.json'), { force: true });
}

/** A file of the project as it is. */
export function original(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

function filesOf(root: string): string[] {
  return (
    readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => !LEFT_OUT.has(name))
      .flatMap((entry) => (entry.isDirectory() ? below(join(root, entry.name)) : [join(root, entry.name)]))
      .map((path) => relative(root, path).replaceAll('\\', '/'))
      // Another suite may build a package meanwhile.
      .filter((path) => !path.includes('/dist/'))
      .sort()
  );
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
