import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { linkPackages } from '../../../../test/support/processes/copied-build.ts';
import { type CommandResult, resultOf } from '../../../../test/support/processes/command.ts';
import { makeFolder } from '../../../../test/support/folders.ts';
import { LONGEST_WAIT_MS } from '../../../../test/support/until.ts';
import { Generator } from './generator.ts';

const ROOT = join(__dirname, '..', '..', '..', '..');
const CREATE = join(ROOT, 'packages', 'create');
const GENERATE = join(CREATE, 'src', 'generate.ts');
const NEST = join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
const COPIED = [
  'src',
  'packages/platform',
  'test/contract/support',
  'test/support',
  'test/tsconfig.json',
  'tsconfig.json',
  'nest-cli.json',
  'package.json',
];

const MIGRATIONS = join('src', 'migrations');

const generator = new Generator();
afterAll(() => generator.end());

/** Its input is closed or, on a terminal, open. */
type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** A copy of the project, for the generator to write to. */
export class Project {
  readonly root = makeFolder();
  private program = GENERATE;

  constructor() {
    for (const path of COPIED) {
      cpSync(join(ROOT, path), join(this.root, path), {
        recursive: true,
        filter: (name) => !name.endsWith('.spec.ts'),
      });
    }
    this.removeOtherFeatures();
    linkPackages(join(this.root, 'node_modules'), this.root);
  }

  /**
   * A project with a generator of its own, for a test to change its templates. For speed it has no other feature than pets, and no
   * types are checked.
   */
  static small(): Project {
    const project = new Project();
    cpSync(CREATE, join(project.root, 'packages', 'create'), { recursive: true });
    project.program = join(project.root, 'packages', 'create', 'src', 'generate.ts');
    for (const folder of ['auth', 'process', 'platform']) project.remove(`src/${folder}`);
    // Which the repository may have left out.
    rmSync(join(project.root, 'src', 'admin'), { recursive: true, force: true });
    const compilerOptions = { noCheck: true, noResolve: true, noLib: true, types: [] };
    project.write('test/tsconfig.json', JSON.stringify({ compilerOptions }));
    return project;
  }

  /** The generator, run within a process that has its packages loaded. */
  generate(...args: string[]): Promise<CommandResult> {
    return generator.run(this.program, this.root, args);
  }

  /** What `npm run generate` runs. */
  generateByCommand(...args: string[]): Promise<CommandResult> {
    return resultOf(this.start(process.execPath, [this.program, ...args], 'ignore'));
  }

  nest(...args: string[]): Promise<CommandResult> {
    return resultOf(this.start(process.execPath, [NEST, ...args], 'ignore'));
  }

  /**
   * Runs the Nest CLI on a pseudo-terminal and answers what it asks.
   *
   * @param question what the terminal shows before the response is typed
   */
  nestOnTerminal(args: readonly string[], question: string, response: string): Promise<CommandResult> {
    const command = [process.execPath, NEST, ...args].map((word) => `'${word}'`).join(' ');
    const child = this.start('script', ['--quiet', '--return', '--command', command, '/dev/null'], 'pipe');
    let shown = '';
    child.stdout.on('data', (text: string) => {
      const wasAsked = shown.includes(question);
      shown += text;
      if (!wasAsked && shown.includes(question)) child.stdin?.write(`${response}\r`);
    });
    return resultOf(child);
  }

  /** Runs a program of a package in the copy, for instance the compiler. */
  run(program: string, ...args: string[]): Promise<CommandResult> {
    return resultOf(
      this.start(process.execPath, [join(this.root, 'node_modules', program), ...args], 'ignore'),
    );
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  /** The files in `src` and their texts, by path from the root. */
  sources(): Map<string, string> {
    return this.files('src');
  }

  /** The files in a folder and their texts, by path from the root. */
  files(folder: string): Map<string, string> {
    const names = readdirSync(join(this.root, folder), { recursive: true, withFileTypes: true });
    const paths = names.filter((name) => name.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      paths.sort().map((path) => [path.slice(this.root.length + 1), readFileSync(path, 'utf8')]),
    );
  }

  /** What the generator is asked for here may be a feature of the project by now; pets are there always. */
  private removeOtherFeatures(): void {
    const path = 'src/features.ts';
    const others = this.read(path).matchAll(/^export .* from '\.\/([\w-]+)\/[\w-]+\.module';\n/gm);
    for (const [line, feature] of [...others].filter(([, name]) => name !== 'pets')) {
      this.write(path, this.read(path).replace(line, ''));
      this.remove(`src/${feature}`);
      const migrations = readdirSync(join(this.root, MIGRATIONS));
      const own = migrations.filter((name) => name.endsWith(`-create-${feature}.ts`));
      for (const name of own) this.remove(join(MIGRATIONS, name));
    }
  }

  private start(command: string, args: readonly string[], input: 'ignore' | 'pipe'): Child {
    return spawn(command, args, {
      cwd: this.root,
      // Dozens of processes compile the same packages.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(dirname(this.root), 'compile-cache') },
      stdio: [input, 'pipe', 'pipe'],
      // A command that hangs does not outlive its test.
      timeout: LONGEST_WAIT_MS,
      killSignal: 'SIGKILL',
    }) as Child;
  }
}
