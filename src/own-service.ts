import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rememberService } from './platform/config/package-version';
import type { Features } from './platform/features/feature-modules';

let load = (): Features => require('./features') as Features;

/**
 * Makes this process that of a team's service: with its features, the entities and migrations in the folder of its first file,
 * and the version of its package.
 *
 * @param features loads them; the start checks that each is a module
 */
export function useService(features: () => unknown): void {
  useFeatures(features);
  // `npm run start:dev` loads it in a process of an ES module, which is no `require.main`.
  const entry = require.main?.filename ?? process.argv[1];
  if (entry) rememberService(entry);
}

/** Makes features those of this process, where there is no service of their own: in the tests of a package with modules. */
export function useFeatures(features: () => unknown): void {
  load = features as () => Features;
}

/**
 * Makes this process that of the service in a folder, for programs that are not its own: tests, and the commands of TypeORM.
 *
 * @param folder its sources, or what the compiler has made of them
 */
export function useServiceIn(folder: string): void {
  load = () => require(join(folder, 'features')) as Features;
  const compiled = join(folder, 'main.js');
  rememberService(existsSync(compiled) ? compiled : join(folder, 'main.ts'));
}

/** Returns the features of the service, in the order of their lines. They are loaded by the first call. */
export function listedFeatures(): Features {
  return load();
}

/** True if the service has pets, by their line among the features: the store can be filled, and the start proposes a first pet. */
export function hasPets(): boolean {
  return 'PetsModule' in listedFeatures();
}
