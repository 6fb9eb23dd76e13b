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
  load = features as () => Features;
  if (require.main) rememberService(require.main.filename);
}

/** Returns the features of the service, in the order of their lines. They are loaded by the first call. */
export function listedFeatures(): Features {
  return load();
}
