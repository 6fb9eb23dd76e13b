/**
 * Compiles a project, as `nest build` does and to the same code, by TypeScript 7, in a third of the time. As a program,
 * `petstore-build`, it makes the `dist` of the service in the working directory anew.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const require = createRequire(import.meta.url);

/** The configuration by which a project is built: `tsconfig.build.json`, if there is one beside that of its editors. */
export function buildConfig(project) {
  const own = join(project, 'tsconfig.build.json');
  return existsSync(own) ? own : join(project, 'tsconfig.json');
}

/**
 * Compiles a project. Messages go to standard error.
 *
 * @param config its `tsconfig.json`, or the folder of that
 * @param options of the compiler, on top of those
 * @throws Error when a file has a fault
 */
export function compile(config, ...options) {
  execFileSync(process.execPath, [...compilerOf(config), ...options], { stdio: ['ignore', 2, 2] });
}

/**
 * The compiler of a project with its arguments, as Node runs it: TypeScript 7, or TypeScript 6 where an installation has left out
 * optional packages, for TypeScript 7 is another one for each platform.
 */
export function compilerOf(config) {
  const native = dirname(require.resolve('@typescript/native/package.json'));
  const { platform, arch } = process;
  const hasNative = existsSync(join(native, '..', `typescript-${platform}-${arch}`));
  const program = hasNative
    ? join(native, 'bin', 'tsc')
    : join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc6');
  return [program, '-p', config];
}

/**
 * Copies what a project reads at run time besides its code; its `nest-cli.json` lists that.
 *
 * @param to the folder that stands for the root of the project
 */
export function copyAssets(project, to) {
  const { sourceRoot, compilerOptions } = JSON.parse(readFileSync(join(project, 'nest-cli.json'), 'utf8'));
  for (const pattern of compilerOptions.assets) {
    for (const file of globSync(join(project, sourceRoot, pattern))) {
      cpSync(file, join(to, relative(project, file)));
    }
  }
}

/** Makes the `dist` of a project anew. */
export function build(project) {
  const dist = join(project, 'dist');
  rmSync(dist, { recursive: true, force: true });
  compile(buildConfig(project));
  copyAssets(project, dist);
}

/** Runs what builds. A program that has failed has said why: the stack of this one would only hide that. */
export async function failsInWords(work) {
  try {
    await work();
  } catch (error) {
    if (!Number.isInteger(error.status)) throw error;
    process.stderr.write('The build has failed.\n');
    process.exitCode = 1;
  }
}

if (import.meta.main) await failsInWords(() => build(process.cwd()));
