import { resolve } from 'node:path';

/** Database that a DATABASE_URL names. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

/**
 * Reads a DATABASE_URL: `sqlite:<path>` or `postgres://…` (`postgresql://…`).
 *
 * @throws Error when it is neither.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { engine: 'sqlite', file: url.slice('sqlite:'.length) };
  }
  if (/^postgres(ql)?:\/\//.test(url)) return { engine: 'postgres', url };
  throw new Error('DATABASE_URL must be sqlite:<path> or postgres://….');
}

/** Describes the location of a database for people: never with a user or a password. */
export function describeLocation(databaseUrl: string): string {
  const location = parseDatabaseUrl(databaseUrl);
  if (location.engine === 'sqlite') return resolve(location.file);
  const { host, pathname } = new URL(location.url);
  return `${decodeURIComponent(pathname.slice(1))} at ${host}`;
}
