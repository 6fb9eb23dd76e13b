import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK = join(__dirname, '..', '..', '..', 'package-lock.json');

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
  readonly link?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The packages that the service needs in production by the lock file, by where they lie; those of other workspaces are not. */
export function lockedForProduction(): [path: string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Map<string, LockedPackage>();
  const addNeedsOf = (from: string) => {
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = packages[from] ?? {};
    for (const name of Object.keys({ ...peerDependencies, ...dependencies })) {
      const path = placesOf(name, from).find((place) => place in packages);
      const needed = path !== undefined && packages[path];
      if (!needed || needed.link || found.has(path) || peerDependenciesMeta[name]?.optional) continue;
      found.set(path, needed);
      addNeedsOf(path);
    }
  };
  addNeedsOf('');
  return [...found];
}

/** Where Node looks for a package that is imported in a folder, the nearest place first. */
function placesOf(name: string, from: string): string[] {
  const end = from.lastIndexOf('node_modules/');
  const here = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  return from === '' ? [here] : [here, ...placesOf(name, from.slice(0, Math.max(end - 1, 0)))];
}
