import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandLineEnvironment } from '../../config/command-line-environment';
import { CommandError } from '../command-error';

/** A session of the console that this person has begun from here. */
export interface StoredSession {
  /** Web origin of the console. */
  readonly server: string;
  readonly token: string;
}

/** Stores a session in a file that only this person may read, one for each console. @returns the name of the file */
export async function storeSession(session: StoredSession): Promise<string> {
  const file = fileOf(session.server);
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Written anew under another name: an existing file would keep its permissions.
    await writeFile(part, `${JSON.stringify(session)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}.`);
  }
  return file;
}

/** Returns the session that is stored for a console, if any. */
export async function findSession(server: string): Promise<StoredSession | undefined> {
  const file = fileOf(server);
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as Partial<StoredSession>;
    return typeof stored.token === 'string' ? { server, token: stored.token } : undefined;
  } catch (error) {
    // A damaged file is replaced by the next sign-in.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Removes the session that is stored for a console, if any. */
export async function removeSession(server: string): Promise<void> {
  await rm(fileOf(server), { force: true });
}

function fileOf(server: string): string {
  const name = `${server.replace('://', '-').replaceAll(/[^\w.-]/g, '_')}.json`;
  return join(commandLineEnvironment().folder, name);
}
