import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import type { BaseImage, Mount } from './base-image';
import { containerCommand } from './container';
import { type Stage, type Step, UnknownInstruction } from './dockerfile';

/** What is built: a root folder, and what `docker inspect` would show. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** `uid:gid` */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  readonly volumes: readonly string[];
  readonly ports: readonly number[];
  readonly stopSignal: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Everything a build needs besides the Dockerfile. */
export interface BuildSurroundings {
  readonly base: BaseImage;
  /** Folder whose files `COPY` takes. */
  readonly context: string;
  /** Folder for the stages. */
  readonly folder: string;
  /** npm's cache on this machine; stands for a cache mount. */
  readonly npmCache: string;
  /** What lets npm reach its registry from here. */
  /** What `--build-arg` gives. */
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly network: { readonly env: Readonly<Record<string, string>>; readonly mounts: readonly Mount[] };
}

/**
 * Builds the stages one by one, as a Docker builder does, and gives the last one.
 *
 * @throws UnknownInstruction at the first thing a builder might do that is not done here
 */
export function buildImage(stages: readonly Stage[], surroundings: BuildSurroundings): Image {
  const built = new Map<string, StageBuild>();
  for (const stage of stages) {
    if (stage.base !== surroundings.base.name) {
      throw new UnknownInstruction({ keyword: 'FROM', line: 1 }, stage.base);
    }
    const build = new StageBuild(join(surroundings.folder, `stage-${stage.name}`), surroundings, built);
    for (const step of stage.steps) build.run(step);
    built.set(stage.name, build);
  }
  const last = [...built.values()].at(-1);
  if (!last) throw new Error('The Dockerfile has no stage.');
  return last;
}

class StageBuild implements Image {
  env: Record<string, string>;
  /** Given by the builder, to commands of the stage alone. */
  private args: Record<string, string> = {};
  cwd = '/';
  user = '0:0';
  entrypoint: readonly string[] = [];
  healthcheck: readonly string[] = [];
  readonly volumes: string[] = [];
  readonly ports: number[] = [];
  stopSignal = '';
  readonly labels: Record<string, string> = {};

  constructor(
    readonly root: string,
    private readonly surroundings: BuildSurroundings,
    private readonly others: ReadonlyMap<string, StageBuild>,
  ) {
    mkdirSync(root, { recursive: true });
    surroundings.base.makeRoot(root);
    this.env = { ...surroundings.base.env };
  }

  run(step: Step): void {
    const handler = this.handlers[step.keyword];
    if (!handler) throw new UnknownInstruction(step, step.text);
    handler(step);
  }

  private readonly handlers: Readonly<Record<string, (step: Step) => void>> = {
    WORKDIR: (step) => {
      this.cwd = posix.resolve(this.cwd, step.text);
      mkdirSync(this.inRoot(this.cwd), { recursive: true });
    },
    COPY: (step) => this.copy(step),
    RUN: (step) => this.execute(step),
    ARG: (step) => {
      const value = this.surroundings.buildArgs[step.text];
      if (!/^\w+$/.test(step.text)) throw new UnknownInstruction(step, `${step.text} (other than a name)`);
      if (value !== undefined) this.args = { ...this.args, [step.text]: value };
    },
    ENV: (step) => {
      this.env = { ...this.env, ...Object.fromEntries(step.pairs) };
    },
    LABEL: (step) => {
      Object.assign(this.labels, Object.fromEntries(step.pairs));
    },
    USER: (step) => {
      if (!/^\d+:\d+$/.test(step.text))
        throw new UnknownInstruction(step, `${step.text} (other than uid:gid)`);
      this.user = step.text;
    },
    VOLUME: (step) => {
      this.volumes.push(...step.words);
    },
    EXPOSE: (step) => {
      this.ports.push(...step.words.map(Number));
    },
    STOPSIGNAL: (step) => {
      this.stopSignal = step.text;
    },
    HEALTHCHECK: (step) => {
      const known = ['interval', 'timeout', 'start-period', 'retries'];
      const unknown = step.flags.find(([name]) => !known.includes(name));
      const command = /^CMD\s+(\[.*\])$/s.exec(step.text)?.[1];
      if (unknown || !command) throw new UnknownInstruction(step, step.text);
      this.healthcheck = JSON.parse(command) as string[];
    },
    ENTRYPOINT: (step) => {
      // A shell would stand between the signals and the service.
      if (!step.isJson) throw new UnknownInstruction(step, 'in shell form');
      this.entrypoint = step.words;
    },
  };

  private copy(step: Step): void {
    const { from, ...unknown } = Object.fromEntries(step.flags) as Record<string, string>;
    const [other] = Object.keys(unknown);
    if (other !== undefined) throw new UnknownInstruction(step, `--${other}`);
    const sources = step.words.slice(0, -1).flatMap((source) => this.sourcesOf(step, from, source));
    const to = step.words.at(-1) ?? '';
    const target = this.inRoot(posix.resolve(this.cwd, to));
    for (const path of sources) {
      // The contents of a folder, never the folder itself; a file keeps its name only in what is called a folder.
      const isFolder = statSync(path).isDirectory();
      const isInto = to.endsWith('/') || to === '.' || sources.length > 1;
      const goal = isInto && !isFolder ? join(target, basename(path)) : target;
      mkdirSync(isFolder ? goal : join(goal, '..'), { recursive: true });
      execFileSync('cp', ['-R', '-T', '--preserve=mode,timestamps,links', path, goal]);
    }
  }

  /** The paths of a source, which are several where it has a wildcard. */
  private sourcesOf(step: Step, from: string | undefined, source: string): string[] {
    if (source.includes('*')) {
      const root = this.rootOf(step, from);
      const found = globSync(source, { cwd: root }).toSorted();
      if (found.length === 0) throw new UnknownInstruction(step, `${source}, which matches no file,`);
      return found.flatMap((path) => this.sourcesOf(step, from, path));
    }
    if (from === undefined && !isInContext(this.surroundings.context, source)) {
      throw new UnknownInstruction(step, `${source}, which .dockerignore keeps out,`);
    }
    return [join(this.rootOf(step, from), source)];
  }

  /** The folder that the sources of a step are in: the context, or the root of another stage. */
  private rootOf(step: Step, from: string | undefined): string {
    if (from === undefined) return this.surroundings.context;
    const other = this.others.get(from);
    if (!other) throw new UnknownInstruction(step, `--from=${from}`);
    return other.inRoot('/');
  }

  private execute(step: Step): void {
    const { base, npmCache, network } = this.surroundings;
    const caches = step.flags.map(([name, value]): Mount => {
      const target = /^type=cache,target=(\/root\/\.npm)$/.exec(value)?.[1];
      if (name !== 'mount' || target === undefined) throw new UnknownInstruction(step, `--${name}=${value}`);
      return { from: npmCache, to: target, isWritable: true };
    });
    if (step.isJson) throw new UnknownInstruction(step, 'in exec form');
    // Else bwrap makes these folders, for root alone.
    for (const { to } of network.mounts) mkdirSync(this.inRoot(posix.dirname(to)), { recursive: true });
    const [program = '', ...words] = containerCommand(
      {
        root: this.root,
        isRootWritable: true,
        mounts: [...base.mounts, ...network.mounts, ...caches],
        env: { HOME: '/root', ...this.args, ...this.env, ...network.env },
        cwd: this.cwd,
        user: this.user,
        hasHostNetwork: true,
      },
      ['/bin/sh', '-c', step.text],
    );
    execFileSync(program, words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  }

  private inRoot(path: string): string {
    return join(this.root, posix.resolve('/', path));
  }
}

/**
 * Whether a builder is given this file of the project: `.dockerignore` must keep out everything and let in what it names,
 * so that what is new in the project stays out.
 *
 * @throws Error when the file says it in another way
 */
function isInContext(context: string, path: string): boolean {
  const [first, ...others] = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || others.some((line) => !/^![\w./-]+$/.test(line))) {
    throw new Error('.dockerignore has to begin with * and to name after ! what is let in.');
  }
  return others.some((line) => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`));
}

/** Makes the folder of a volume as Docker does at first use: with the owner that the image gave it. */
export function makeVolume(image: Image, volume: string, folder: string): Mount {
  const { uid, gid } = statSync(join(image.root, volume));
  if (!existsSync(folder)) {
    mkdirSync(folder);
    chownSync(folder, uid, gid);
  }
  return { from: folder, to: volume, isWritable: true };
}
