import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { API, type Diagnostic } from '@typescript/native/unstable/async';
import { Refusal } from '../refusal.ts';

/** Configurations with the options of `npm run types`: of the service, and of the repository of a module. */
const CONFIGS = ['test/tsconfig.json', 'tsconfig.json'];

/** Configurations that are not on the disk, beside the one that they extend: it may name folders from where they are. */
const SOURCES = 'tsconfig.checked-sources.json';
const TESTS = 'tsconfig.checked-tests.json';

/**
 * Refuses files with which the project would not compile. Only these files are checked, against everything they import.
 *
 * @param root the folder of the project
 * @param files texts by path, as they would be on the disk
 * @throws Refusal
 */
export async function refuseWhatDoesNotCompile(
  root: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for await (const { message } of compileFaults(root, files, [...files.keys()])) {
    throw new Refusal(`The result would not compile: ${message}; nothing was written.`);
  }
}

/** An error of the compiler in a file. */
export interface CompileFault {
  readonly path: string;
  /** Message with its position: `src/orders/orders.service.ts:31 Property 'note' is missing`. */
  readonly message: string;
}

/**
 * Finds the first fault of each file that does not compile.
 *
 * @param files texts by path, as they would be on the disk
 * @param checked the paths to check. Tests are checked for syntax only: they import half the project
 * @throws Refusal when the configuration has a fault
 */
export async function* compileFaults(
  root: string,
  files: ReadonlyMap<string, string>,
  checked: readonly string[],
): AsyncGenerator<CompileFault> {
  const tests = checked.filter((path) => path.endsWith('.spec.ts'));
  const sources = checked.filter((path) => !tests.includes(path));
  const overlay = new Map([
    ...files,
    [beside(root, SOURCES), configuration(root, sources)],
    [beside(root, TESTS), configuration(root, tests, { noResolve: true, noLib: true, types: [] })],
  ]);
  await using compiler = await openCompiler(root, overlay);
  const { program } = compiler.project(SOURCES);
  const [unusable] = await program.getConfigFileParsingDiagnostics();
  if (unusable) throw new Refusal(`The result cannot be checked: ${configOf(root)} ${messageOf(unusable)}.`);
  const { program: syntax } = compiler.project(TESTS);
  for (const path of checked) {
    const file = pathIn(root, path);
    const [fault] = tests.includes(path)
      ? await syntax.getSyntacticDiagnostics(file)
      : [...(await program.getSyntacticDiagnostics(file)), ...(await program.getSemanticDiagnostics(file))];
    if (fault) yield { path, message: inOneLine(fault, path, files.get(path) ?? readFileSync(file, 'utf8')) };
  }
}

function configOf(root: string): string {
  return CONFIGS.find((path) => existsSync(pathIn(root, path))) as string;
}

function beside(root: string, name: string): string {
  return posix.join(posix.dirname(configOf(root)), name);
}

function configuration(root: string, paths: readonly string[], compilerOptions = {}): string {
  const files = paths.map((path) => pathIn(root, path));
  return JSON.stringify({ extends: pathIn(root, configOf(root)), files, include: [], compilerOptions });
}

/** Starts the compiler, which reads these files in place of those on the disk. */
async function openCompiler(root: string, overlay: ReadonlyMap<string, string>) {
  const texts = new Map([...overlay].map(([path, text]) => [pathIn(root, path), text]));
  const folders = new Set([...texts.keys()].map((path) => posix.dirname(path)));
  const api = new API({
    cwd: root,
    // What these do not know is looked up on the disk.
    fs: {
      readFile: (path) => texts.get(path),
      fileExists: (path) => texts.has(path) || undefined,
      directoryExists: (path) => folders.has(path) || undefined,
    },
  });
  const configs = [SOURCES, TESTS].map((name) => pathIn(root, beside(root, name)));
  const snapshot = await api.updateSnapshot({ openProjects: configs });
  return {
    project: (name: string) => {
      const project = snapshot.getProject(pathIn(root, beside(root, name)));
      if (!project) throw new Error(`the compiler does not know ${name}`);
      return project;
    },
    [Symbol.asyncDispose]: () => api.close(),
  };
}

/** A message of the compiler, on one line and without a full stop: `src/features.ts:3 ';' expected`. */
function inOneLine(fault: Diagnostic, path: string, text: string): string {
  const line = text.slice(0, fault.pos).split('\n').length;
  return `${path}:${line} ${messageOf(fault)}`;
}

function messageOf(fault: Diagnostic): string {
  return textsOf(fault).join(' ').replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

function textsOf({ text, messageChain = [] }: Diagnostic): string[] {
  return [text, ...messageChain.flatMap(textsOf)];
}

/** The compiler's paths have forward slashes everywhere. */
function pathIn(root: string, path: string): string {
  return posix.join(root.replaceAll('\\', '/'), path);
}
