import { type Import, type SourceFile, violation } from './source-files';

/** A rule of the design: what in these files breaks it, one sentence each. */
export type Rule = (files: readonly SourceFile[]) => string[];

const PLATFORM = 'src/platform/';
const DATABASE = /^src\/(platform\/database|admin\/(database|distribution))\//;

/** Beside a module for its tests: not built. */
const TESTING = /\.(spec|samples)\.ts$/;

/** Files of the service itself; its specs may reach anywhere. */
export function isProduction({ path }: SourceFile): boolean {
  return path.startsWith('src/') && !TESTING.test(path);
}

/** The rule that some files import nothing of some kind, and why, in words that follow "imports <target>:". */
export function noImports(
  isHeld: (file: SourceFile) => boolean,
  isForbidden: (one: Import, file: SourceFile) => boolean,
  why: string,
): Rule {
  return (files) =>
    files
      .filter(isHeld)
      .flatMap((file) =>
        file.imports
          .filter((one) => isForbidden(one, file))
          .map(({ target, line }) => violation(file, line, `imports ${target}: ${why}`)),
      );
}

/** What is not built is not there in production. */
export const productionKnowsNoTests = noImports(
  isProduction,
  ({ target, isPackage }) => !isPackage && (target.startsWith('test/') || TESTING.test(`${target}.ts`)),
  'it is not built with the service.',
);

/** What starts programs that Debian brings. */
const DEBIAN_PROGRAMS = /^test\/support\/(processes\/listening-program|databases\/redis-server)$/;

/** `npm ci` is all that `npm test` needs, and so do tests of the console and the commands. */
export const specsNeedOnlyNpm = noImports(
  ({ path }) => /\.(spec|console|commands)\.ts$/.test(path),
  ({ target }) => DEBIAN_PROGRAMS.test(target),
  'npm test starts only what npm has installed.',
);

const TOOLING = /^(src|test)\/admin\//;

/** Whoever leaves out `src/admin` leaves out `test/admin`, and the other tests still compile and run. */
export const coreTestsKnowNoTooling = noImports(
  (file) => !isProduction(file) && !TOOLING.test(file.path),
  ({ target, isPackage }) => !isPackage && TOOLING.test(target),
  'tests of the admin tooling are beside it, in src/admin or in test/admin.',
);

/** The feature a path belongs to; undefined for the platform and for what puts the service together and starts it. */
function featureOf(path: string): string | undefined {
  return /^src\/(?!platform\/|process\/|migrations\/|exports\/)([^/]+)\//.exec(path)?.[1];
}

/** The platform imports packages and itself; its specs may use the test support too. */
export const platformKnowsNoFeature = noImports(
  ({ path }) => path.startsWith(PLATFORM),
  ({ isPackage, target }, { path }) =>
    !isPackage && !target.startsWith(PLATFORM) && !(path.endsWith('.spec.ts') && target.startsWith('test/')),
  'the platform knows no feature.',
);

/** What a feature shows to the others. */
const FACE = /\.(module|service|errors|events)$|\/dto\//;
/** What `src/create-cli.ts` and `src/tooling.ts` list. */
const LISTED = /\.command$|\/tooling$/;

/** Features meet at their module, services, errors, events and DTOs; so do the files that put the service together. */
export const featuresMeetAtTheirFace = noImports(
  isProduction,
  ({ target, isPackage }, { path }) => {
    const owner = isPackage ? undefined : featureOf(target);
    return owner !== undefined && owner !== featureOf(path) && !isFace(path, target);
  },
  'another feature is reached through its module, services, errors, events and DTOs.',
);

function isFace(from: string, target: string): boolean {
  return FACE.test(target) || (featureOf(from) === undefined && LISTED.test(target));
}

/** Folders whose rooms stand on floors. */
const ON_FLOORS = [
  'src',
  'src/admin',
  'src/admin/[^/]+',
  'src/admin/console/[^/]+',
  'src/platform',
  'src/platform/[^/]+',
];

/** No file reaches itself through its imports, and no room of the service, of its platform, of its console or of a folder there does. */
export const importsHaveNoCycle: Rule = (files) => {
  const own = files.filter((file) => isProduction(file));
  return [withoutExtension, ...ON_FLOORS.map(roomIn)].flatMap((nodeOf) => graphHasNoCycle(nodeOf)(own));
};

/** No file of a folder reaches itself through its imports, and no room of the folder does. */
export function folderHasNoCycle(folder: string): Rule {
  const fileIn: NodeOf = (path) => (path.startsWith(`${folder}/`) ? withoutExtension(path) : undefined);
  return (files) => [fileIn, roomIn(folder)].flatMap((nodeOf) => graphHasNoCycle(nodeOf)(files));
}

/** Gives the node of a path, with or without `.ts`; undefined where the rule does not hold. */
type NodeOf = (path: string) => string | undefined;

function graphHasNoCycle(nodeOf: NodeOf): Rule {
  return (files) =>
    cyclesOf(graphOf(files, nodeOf)).map((cycle) => `${cycle.join(' -> ')} is an import cycle.`);
}

/**
 * A room is a folder in this one, or a file beside those.
 *
 * @param folder its path, as a pattern where the rule holds in several
 */
function roomIn(folder: string): NodeOf {
  const room = new RegExp(`^${folder}/[^/]+`);
  return (path) => withoutExtension(room.exec(path)?.[0] ?? '') || undefined;
}

function withoutExtension(path: string): string {
  return path.replace(/\.ts$/, '');
}

/** The two sides of a relation of TypeORM name each other's type. */
const ENTITY = /\.entity(?:\.ts)?$/;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(files: readonly SourceFile[], nodeOf: NodeOf): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = nodeOf(path);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { target, isPackage, isTypeOnly } of imports) {
      if (isTypeOnly && ENTITY.test(path) && ENTITY.test(target)) continue;
      const to = isPackage ? undefined : nodeOf(target);
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  return graph;
}

function cyclesOf(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, trail: readonly string[]) => {
    const start = trail.indexOf(node);
    if (start >= 0) cycles.push([...trail.slice(start), node]);
    if (start >= 0 || finished.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

const DATABASE_PACKAGES = new Set(['typeorm', 'pg', 'better-sqlite3']);

/** Where TypeORM is used; the platform and who puts the service together may name its types. */
const MAY_USE = /\.(repository|entity|service|module|subscriber)\.ts$|^src\/(platform\/)?migrations\//;
const MAY_NAME = /^src\/([^/]+\.ts$|process\/|platform\/)/;

/** TypeORM stays out of controllers and DTOs, and the drivers in the folders about the database. */
export const onlyDataCodeUsesTypeorm = noImports(
  (file) => isProduction(file) && !DATABASE.test(file.path),
  ({ target, isPackage, isTypeOnly }, { path }) =>
    isPackage &&
    DATABASE_PACKAGES.has(packageOf(target)) &&
    !(isTypeOnly && MAY_NAME.test(path)) &&
    !(packageOf(target) === 'typeorm' && MAY_USE.test(path)),
  'only repositories, services, modules, entities, subscribers, migrations and the folders about the database do.',
);

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** What the service imports is installed with it: a package that only comes along with another is there by luck. */
export function packagesAreDependencies(dependencies: Readonly<Record<string, string>>): Rule {
  return noImports(
    isProduction,
    ({ isPackage, target }) =>
      isPackage && !target.startsWith('node:') && !Object.hasOwn(dependencies, packageOf(target)),
    'it is not among the dependencies in package.json.',
  );
}

/** A package is installed without the service: its sources import Node, its own dependencies and each other. */
export function packageStandsAlone(folder: string, dependencies: Readonly<Record<string, string>>): Rule {
  return noImports(
    ({ path }) => path.startsWith(folder),
    ({ isPackage, target }) =>
      isPackage
        ? !target.startsWith('node:') && !Object.hasOwn(dependencies, packageOf(target))
        : !target.startsWith(folder),
    'the package is installed without the service.',
  );
}

/** What is served is a DTO: neither controllers nor DTOs know an entity. */
export const controllersReturnNoEntities = noImports(
  (file) => isProduction(file) && /\.controller\.ts$|\/dto\//.test(file.path),
  ({ target, isPackage }) => !isPackage && target.endsWith('.entity'),
  'controllers return DTOs.',
);

/** What only the command line needs: the library that reads its arguments, and whatever uses that. */
const COMMAND_LINE = /^(commander$|src\/platform\/cli\/|.*\.command$|.*\/commands\/)/;

/** The pages for browsers and the commands are two faces of the same services: neither is reached through the other. */
export const consoleKnowsNoCommandLine = noImports(
  (file) => isProduction(file) && file.path.startsWith('src/admin/console/'),
  ({ target }) => COMMAND_LINE.test(target),
  'the console knows nothing of the command line.',
);

/** Nest, TypeORM and the like: all packages but those that every command has. */
const LARGE_PACKAGES = /^(?!node:|src\/|packages\/|commander$|reflect-metadata$)/;

/** What must not be loaded together with a file, because commands that get that far do without it. */
const LOADED_LATER: readonly (readonly [entry: string, what: RegExp])[] = [
  ['src/run-commands', LARGE_PACKAGES],
  ['src/create-cli', LARGE_PACKAGES],
  ['src/platform/cli/program', LARGE_PACKAGES],
  ['src/platform/cli/output', LARGE_PACKAGES],
  ['src/platform/cli/config.command', LARGE_PACKAGES],
  ['src/platform/openapi/openapi.command', LARGE_PACKAGES],
  ['src/process/command-app', /^src\/admin\/console\//],
];

/** Loading is most of what a short command does: it loads its own group, and the packages and modules that it works with. */
export const commandsLoadWhatTheyNeed: Rule = (files) => {
  const own = new Map(
    files.filter((file) => isProduction(file)).map((file) => [file.path.replace(/\.ts$/, ''), file]),
  );
  return LOADED_LATER.flatMap(([entry, what]) => {
    const loaded = new Set([entry]);
    const found: string[] = [];
    for (const path of loaded) {
      const file = own.get(path);
      for (const { target, line, isTypeOnly, isDeferred } of file?.imports ?? []) {
        if (isTypeOnly || isDeferred) continue;
        loaded.add(target);
        if (file && what.test(target)) {
          found.push(
            violation(file, line, `imports ${target}: what comes with ${entry} is paid for by each command.`),
          );
        }
      }
    }
    return found;
  });
};
