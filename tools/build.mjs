/**
 * `npm run build`: compiles the service into `dist`, as `nest build` does and to the same code, by
 * TypeScript 7, in a third of the time. What else the service reads at run time is copied; `nest-cli.json` lists it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { bundlePackages } from './bundle.mjs';

export const PROJECT = join(import.meta.dirname, '..');
export const DIST = join(PROJECT, 'dist');

const require = createRequire(import.meta.url);

/**
 * Compiles a project. Messages go to standard error.
 *
 * @param config its `tsconfig.json`, or the folder of that
 * @throws Error when a file has a fault
 */
export function compile(config) {
  execFileSync(process.execPath, compilerOf(config), { stdio: ['ignore', 2, 2] });
}

/**
 * The compiler of a project with its arguments, as Node runs it: TypeScript 7, or TypeScript 6 where an installation has left out
 * optional packages, for TypeScript 7 is another one for each platform.
 */
export function compilerOf(config) {
  const [compiler, program] = hasNative() ? ['@typescript/native', 'tsc'] : ['typescript', 'tsc6'];
  const folder = dirname(require.resolve(`${compiler}/package.json`));
  return [join(folder, 'bin', program), '-p', config];
}

function hasNative() {
  const { platform, arch } = process;
  return existsSync(join(PROJECT, 'node_modules', '@typescript', `typescript-${platform}-${arch}`));
}

/** @param to the folder that stands for the root of the project */
export function copyAssets(to) {
  const { sourceRoot, compilerOptions } = JSON.parse(readFileSync(join(PROJECT, 'nest-cli.json'), 'utf8'));
  for (const pattern of compilerOptions.assets) {
    for (const file of globSync(join(PROJECT, sourceRoot, pattern))) {
      cpSync(file, join(to, relative(PROJECT, file)));
    }
  }
  cpSync(join(PROJECT, 'docs/how-do-i.md'), join(to, 'docs/how-do-i.md'));
  cpSync(join(PROJECT, 'packages/client/releases'), join(to, 'packages/client/releases'), {
    recursive: true,
  });
}

async function build() {
  rmSync(DIST, { recursive: true, force: true });
  compile(PROJECT);
  copyAssets(DIST);
  await bundlePackages();
  execFileSync(process.execPath, [join(DIST, 'src', 'write-command-outlines.js')]);
}

if (import.meta.main) {
  try {
    await build();
  } catch (error) {
    // A program that has failed has said why: the stack of this one would only hide that.
    if (!Number.isInteger(error.status)) throw error;
    process.stderr.write('The build has failed.\n');
    process.exitCode = 1;
  }
}
