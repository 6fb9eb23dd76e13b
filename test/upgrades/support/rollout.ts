import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createToken } from '../../../src/platform/security/api-key-token';
import { createTestDatabase } from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { Fleet, type Replacement } from '../../nodes/support/fleet';
import type { Load } from '../../nodes/support/load';
import { storedNames } from '../../nodes/support/stored-names';

/** A rolling upgrade, and the ways back; releases by their place in a list of their folders. */
export interface Rollout {
  /** The releases that the nodes run at first. */
  readonly before: readonly number[];
  readonly replacements: readonly Replacement[];
}

/** Runs a command of a release that is built, on a database. */
export async function cli(project: string, databaseUrl: string, ...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const entry = join(project, 'dist', 'src', 'cli.js');
  return (await promisify(execFile)(process.execPath, [entry, ...words], { cwd: makeFolder(), env })).stdout;
}

/** What became of a rollout. */
export interface RolledOut {
  readonly load: Load;
  /** How often each name of a pet is stored. */
  readonly stored: ReadonlyMap<string, number>;
  /** Nodes that were replaced. */
  readonly replaced: number;
}

/** Replaces nodes one after the other on a database of their own while clients work. */
export async function rollOut(
  { before, replacements }: Rollout,
  releases: readonly string[],
): Promise<RolledOut> {
  const database = await createTestDatabase('postgres');
  const migrate = (to: number) => cli(releases[to] as string, database.url, 'db', 'migrate');
  const environment = {
    DATABASE_URL: database.url,
    BOOTSTRAP_API_KEY: createToken(),
    NODE_ENV: 'production',
  };
  const fleet = await Fleet.behindHaProxy(before.length, environment, releases);
  const { load } = fleet;
  try {
    await migrate(Math.max(...before));
    await fleet.start(before);
    await migrate(Math.max(...replacements.map(([, release]) => release)));
    await fleet.replace(replacements);
    await load.stop();
    return { load, stored: await storedNames(database.url), replaced: replacements.length };
  } finally {
    await fleet.stop();
    await database.drop();
  }
}
