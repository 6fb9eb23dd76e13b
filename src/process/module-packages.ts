import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../platform/config/package-version';

const PLATFORM = '@petstore/platform';

/** Packages of which the process must have one copy: a second copy has its own tokens, metadata and connections. */
const SHARED = [PLATFORM, '@nestjs/common', '@nestjs/core', '@nestjs/swagger', 'typeorm'];

/** Members of a `package.json` that are read here. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Refuses modules of other packages that do not fit this platform. Called before `features.ts` is loaded: a module that lacks
 * something fails there in ways that do not say why.
 *
 * @param root the `package.json` of the service, which has the modules among its dependencies
 * @throws Error with one sentence that names the package
 */
export async function checkModulePackages(root = packageFile()): Promise<void> {
  for (const name of Object.keys(read(root).dependencies ?? {})) {
    const file = join(dirname(root), 'node_modules', name, 'package.json');
    const manifest = existsSync(file) ? read(file) : undefined;
    const range = manifest?.peerDependencies?.[PLATFORM];
    if (!manifest || range === undefined) continue;
    await refuseOtherVersion(manifest, range, root);
    for (const shared of SHARED) refuseSecondCopy(manifest, realpathSync(file), shared, root);
  }
}

async function refuseOtherVersion({ name, version }: Manifest, range: string, root: string): Promise<void> {
  // Loaded only if there is a module: it takes three times as long as the rest.
  const { satisfies } = await import('semver');
  const platform = read(packageOf(PLATFORM, root) as string).version;
  if (satisfies(platform, range)) return;
  throw new Error(
    `${name} ${version} needs ${PLATFORM} ${range}, but this service has ${platform}: install a version of the module that fits.`,
  );
}

function refuseSecondCopy({ name, version }: Manifest, file: string, shared: string, root: string): void {
  const found = packageOf(shared, file);
  if (found === undefined || found === packageOf(shared, root)) return;
  throw new Error(
    `${name} ${version} would load a second copy of ${shared}, that in ${dirname(found)}: install it from its packed file, with a range that the service's copy fits.`,
  );
}

/** The `package.json` of a package as a file would import it; undefined if it cannot. */
function packageOf(name: string, importer: string): string | undefined {
  try {
    return realpathSync(findPackageJSON(name, pathToFileURL(importer)) as string);
  } catch {
    return undefined;
  }
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
