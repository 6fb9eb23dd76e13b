import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBaseImage } from './base-image';
import type { BuildSurroundings } from './image-build';

/** This project. */
export const PROJECT = join(__dirname, '..', '..', '..');

/**
 * What a build of this project's image has around it.
 *
 * @param folder where it may put files
 */
export function buildSurroundings(folder: string): BuildSurroundings {
  if (process.getuid?.() !== 0) {
    throw new Error('Only root can give files to the users of an image: run this as root.');
  }
  const [registry = '', cafile, npmCache = ''] = ['registry', 'cafile', 'cache'].map(npmSetting);
  // Where a network has an authority of its own, npm and Node.js are told of it in one of these ways.
  const authorities = cafile ?? process.env.NODE_EXTRA_CA_CERTS;
  const files = ['/etc/resolv.conf', '/etc/hosts', ...(authorities ? [authorities] : [])];
  return {
    base: makeBaseImage(join(folder, 'base')),
    context: PROJECT,
    folder,
    npmCache,
    buildArgs: commitOfBuild(),
    network: {
      env: {
        npm_config_registry: registry,
        ...(authorities && { NODE_EXTRA_CA_CERTS: authorities }),
        npm_config_prefer_offline: 'true',
        npm_config_update_notifier: 'false',
      },
      mounts: files.filter((path) => existsSync(path)).map((path) => ({ from: path, to: path })),
    },
  };
}

/** That of the build in this checkout, if it knows any. */
function commitOfBuild(): Record<string, string> {
  const file = join(PROJECT, 'dist', 'commit.json');
  if (!existsSync(file)) return {};
  return { PETSTORE_COMMIT: (JSON.parse(readFileSync(file, 'utf8')) as { commit: string }).commit };
}

function npmSetting(name: string): string | undefined {
  const value = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).trim();
  return value === 'null' || value === 'undefined' ? undefined : value;
}
