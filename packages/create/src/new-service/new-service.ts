import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refusal } from '../refusal.ts';
import { capitalized } from '../text/spelling.ts';
import { lockFile } from './lock-file.ts';
import { readTemplate, templatePaths } from './templates.ts';

/** Names that npm accepts for packages. */
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/**
 * Writes a service in a repository of its own, with the platform and the generator of the project in the working directory.
 *
 * @param folder target folder, relative to the working directory
 * @returns a report of the changes
 * @throws Refusal, with nothing written
 */
export function newService(folder: string): string {
  const root = process.cwd();
  const target = resolve(folder);
  const name = basename(target);
  if (!NAME.test(name)) {
    throw new Refusal(
      `${JSON.stringify(name)} cannot name a service: use lower case, as in ../shop, because its package has the name of the folder.`,
    );
  }
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Refusal(`The folder ${folder} already exists and is not empty.`);
  }
  mkdirSync(target, { recursive: true });
  try {
    const packed = execFileSync(
      process.execPath,
      [join(root, 'packages', 'platform', 'pack.mjs'), join(target, 'vendor')],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const paths = writeFiles(target, valuesOf(root, name));
    lockFile(root, target);
    const vendored = packed
      .trim()
      .split('\n')
      .map((file) => `vendor/${basename(file)}`);
    const created = [...paths, 'package-lock.json', ...vendored].sort().map((path) => `CREATE ${path}`);
    return `${created.join('\n')}\nNext: cd ${folder} && npm run quickstart\n`;
  } catch (error) {
    rmSync(target, { recursive: true });
    throw error;
  }
}

/** Values of the templates, of which the flags and the tests are those of this service. */
function valuesOf(root: string, name: string): Readonly<Record<string, string>> {
  const { version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const flags = scripts['start']?.split(' ').filter((word) => word.startsWith('--')) ?? [];
  return {
    name,
    title: capitalized(name.replaceAll(/[._-]/g, ' ')),
    version,
    flags: flags.join(' '),
    quotedFlags: flags.map((flag) => JSON.stringify(flag)).join(', '),
    jest: scripts['jest'] ?? '',
  };
}

/** @returns the paths of the files */
function writeFiles(target: string, values: Readonly<Record<string, string>>): string[] {
  const paths = templatePaths();
  for (const path of paths) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      readTemplate(path).replaceAll(/<%= (\w+) %>/g, (_, key: string) => values[key] ?? ''),
    );
    if (path === '.ci/run') chmodSync(file, 0o755);
  }
  return paths;
}
