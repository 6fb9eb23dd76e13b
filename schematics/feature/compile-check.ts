import { join, posix } from 'node:path';
import ts from 'typescript';
import { Refusal } from '../refusal.ts';
import { inOneLine } from './fault.ts';

/** The options of `npm run types`. */
const CONFIG = 'test/tsconfig.json';

/**
 * Refuses files with which the project would not compile. Only they are checked, against all they import.
 *
 * @param root the folder of the project
 * @param files texts by path, as they would be on the disk
 * @throws Refusal
 */
export function refuseWhatDoesNotCompile(root: string, files: ReadonlyMap<string, string>): void {
  const options = compilerOptions(root);
  const overlay = new Map([...files].map(([path, text]) => [pathIn(root, path), text]));
  const program = ts.createProgram([...overlay.keys()], options, hostWith(overlay, options));
  for (const path of files.keys()) {
    const source = program.getSourceFile(pathIn(root, path));
    const [fault] = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (fault)
      throw new Refusal(`The result would not compile: ${inOneLine(fault, path)}; nothing was written.`);
  }
}

function compilerOptions(root: string): ts.CompilerOptions {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, CONFIG), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault) => {
      throw new Refusal(`The result cannot be checked: ${inOneLine(fault, CONFIG)}.`);
    },
  });
  return config?.options ?? {};
}

/** A host that sees these files on top of those on the disk. */
function hostWith(overlay: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const folders = new Set([...overlay.keys()].map((path) => posix.dirname(path)));
  // Onto a host, not beside it: the sources it gives are what its own readFile returns.
  return Object.assign(ts.createCompilerHost(options), {
    readFile: (path: string) => overlay.get(path) ?? disk.readFile(path),
    fileExists: (path: string) => overlay.has(path) || disk.fileExists(path),
    directoryExists: (path: string) => folders.has(path) || disk.directoryExists?.(path) === true,
  });
}

/** The compiler's paths have forward slashes everywhere. */
function pathIn(root: string, path: string): string {
  return posix.join(root.replaceAll('\\', '/'), path);
}
