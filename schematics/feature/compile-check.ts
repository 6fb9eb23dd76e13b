import { join, posix } from 'node:path';
import ts from 'typescript';
import { Refusal } from '../refusal.ts';
import { inOneLine } from '../text/fault.ts';

/** The options of `npm run types`. */
const CONFIG = 'test/tsconfig.json';

/**
 * Refuses files with which the project would not compile. Only these files are checked, against everything they import.
 *
 * @param root the folder of the project
 * @param files texts by path, as they would be on the disk
 * @throws Refusal
 */
export function refuseWhatDoesNotCompile(root: string, files: ReadonlyMap<string, string>): void {
  // No generated code uses the declarations of Node.js, which are a third of everything there is to parse.
  for (const { message } of compileFaults(root, files, [...files.keys()], [])) {
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
 * @param types packages of global declarations; unless given, those of the project without that of the tests
 */
export function* compileFaults(
  root: string,
  files: ReadonlyMap<string, string>,
  checked: readonly string[],
  types?: readonly string[],
): Generator<CompileFault> {
  const project = compilerOptions(root);
  const options = {
    ...project,
    types: [...(types ?? project.types?.filter((name) => name !== 'jest') ?? [])],
  };
  const overlay = new Map([...files].map(([path, text]) => [pathIn(root, path), text]));
  const names = checked.filter((path) => !isTest(path)).map((path) => pathIn(root, path));
  const host = hostWith(overlay, options);
  const packages = packagesOf(names, host);
  const program = ts.createProgram(names, options, resolvingOnly(packages, root, host, options));
  for (const path of checked) {
    const [fault] = isTest(path)
      ? syntaxFaults(host, pathIn(root, path))
      : faultsIn(program, program.getSourceFile(pathIn(root, path)));
    if (fault) yield { path, message: inOneLine(fault, path) };
  }
}

function faultsIn(program: ts.Program, source: ts.SourceFile | undefined): readonly ts.Diagnostic[] {
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
}

function syntaxFaults(host: ts.CompilerHost, path: string): readonly ts.Diagnostic[] {
  const text = host.readFile(path) ?? '';
  const { diagnostics } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
  return diagnostics ?? [];
}

function isTest(path: string): boolean {
  return path.endsWith('.spec.ts');
}

function compilerOptions(root: string): ts.CompilerOptions {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, CONFIG), undefined, {
    ...ts.sys,
    // Only the options are read.
    readDirectory: () => [],
    onUnRecoverableConfigFileDiagnostic: (fault) => {
      throw new Refusal(`The result cannot be checked: ${inOneLine(fault, CONFIG)}.`);
    },
  });
  return config?.options ?? {};
}

/** A host that reads these files in place of those on the disk. */
function hostWith(overlay: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const folders = new Set([...overlay.keys()].map((path) => posix.dirname(path)));
  // Assigned to a host, not beside it: its getSourceFile calls its own readFile.
  return Object.assign(ts.createCompilerHost(options), {
    readFile: (path: string) => overlay.get(path) ?? disk.readFile(path),
    fileExists: (path: string) => overlay.has(path) || disk.fileExists(path),
    directoryExists: (path: string) => folders.has(path) || disk.directoryExists?.(path) === true,
  });
}

/** The packages that files import themselves. */
function packagesOf(paths: readonly string[], host: ts.CompilerHost): ReadonlySet<string> {
  return new Set(
    paths
      .flatMap((path) => ts.preProcessFile(host.readFile(path) ?? '').importedFiles)
      .map(({ fileName }) => fileName)
      .filter((name) => !name.startsWith('.')),
  );
}

/**
 * A host that does not resolve packages that only the platform uses: they are half of everything there is to parse, and no type
 * of theirs reaches a feature.
 */
function resolvingOnly(
  packages: ReadonlySet<string>,
  root: string,
  host: ts.CompilerHost,
  options: ts.CompilerOptions,
): ts.CompilerHost {
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  return Object.assign(host, {
    resolveTypeReferenceDirectiveReferences: ((references, from, redirected, _options, source) =>
      references.map((reference) => {
        const name = typeof reference === 'string' ? reference : reference.fileName;
        if (!options.types?.includes(name)) return { resolvedTypeReferenceDirective: undefined };
        const mode = source?.impliedNodeFormat;
        return ts.resolveTypeReferenceDirective(name, from, options, host, redirected, undefined, mode);
      })) satisfies ts.CompilerHost['resolveTypeReferenceDirectiveReferences'],
    resolveModuleNameLiterals: ((names, from, redirected, _options, source) =>
      names.map((name) => {
        const isLeftOut =
          !name.text.startsWith('.') && !packages.has(name.text) && !from.includes('/node_modules/');
        if (isLeftOut) return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(source, name, options);
        return ts.resolveModuleName(name.text, from, options, host, cache, redirected, mode);
      })) satisfies ts.CompilerHost['resolveModuleNameLiterals'],
  });
}

/** The compiler's paths have forward slashes everywhere. */
function pathIn(root: string, path: string): string {
  return posix.join(root.replaceAll('\\', '/'), path);
}
