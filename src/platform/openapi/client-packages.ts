import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The released packages of the TypeScript client, as the source code keeps them. */
const RELEASES = join(__dirname, '..', '..', '..', 'packages', 'client', 'releases');

/** Packages of the client by their file names. All stay: the lock file of a client's project names its address and contents. */
export const CLIENT_PACKAGES: ReadonlyMap<string, string> = new Map(
  readdirSync(RELEASES)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => [name, join(RELEASES, name)]),
);

/** File name of the newest package. */
export const CLIENT_PACKAGE = [...CLIENT_PACKAGES.keys()].at(-1);
