import { posix } from 'node:path';

/** Folder of the migrations, without folders in it. */
export const MIGRATIONS = 'src/migrations';

const MIGRATION = /^(?<time>\d{13})-(?<name>.+)\.ts$/;

/**
 * The time of the migration that creates a feature's table, in milliseconds since 1970: that of the existing one, or else now,
 * but after every other, for migrations run in the order of time.
 *
 * @param paths the files in the folder of the migrations
 */
export function migrationTime(paths: readonly string[], folder: string, now: number): number {
  const own = migrationsIn(paths).findLast(({ name }) => name === `create-${folder}`);
  return own?.time ?? nextMigrationTime(paths, now);
}

/** The time of a new migration: now, but after every other. */
export function nextMigrationTime(paths: readonly string[], now: number): number {
  return Math.max(now, ...migrationsIn(paths).map(({ time }) => time + 1));
}

function migrationsIn(paths: readonly string[]) {
  return paths.flatMap((path) => {
    const { time, name } = MIGRATION.exec(posix.basename(path))?.groups ?? {};
    return time === undefined ? [] : [{ time: Number(time), name }];
  });
}
