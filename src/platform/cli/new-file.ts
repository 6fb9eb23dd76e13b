import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { CommandError } from './command-error';
import { interruptible } from './interruption';

/** Texts of a file, in their order. */
export type Texts = AsyncIterable<string> | Iterable<string>;

/** Ending of the name of a file that is not complete. */
const UNFINISHED = '.unfinished';

/** Only the owner may read what a command writes: the content is not for every user of this machine. */
const OWNER_ONLY = 0o600;

/** Codes by which file systems without hard links refuse one. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * A file that a command writes. It replaces no file and follows no link: until {@link complete} it has a name that nobody can
 * foresee, beside the one it is to get.
 */
export class NewFile {
  private isOpen = true;
  private isComplete = false;

  private constructor(
    /** Name that the file gets. */
    readonly path: string,
    /** Name of the file until it is complete. */
    readonly unfinished: string,
    readonly handle: FileHandle,
  ) {}

  /** Makes an empty file. @throws CommandError when there is a file of this name, or it cannot be written */
  static async begin(path: string): Promise<NewFile> {
    return explained(path, async () => {
      assertNew(path);
      const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
      return new NewFile(path, unfinished, await open(unfinished, 'wx+', OWNER_ONLY));
    });
  }

  /** Writes texts as they come. @throws CommandError when they cannot be written; or the error of the texts */
  async write(texts: Texts, signal?: AbortSignal): Promise<void> {
    for await (const text of Readable.from(texts, signal && { signal }))
      await explained(this.path, () => this.handle.writeFile(text as string));
  }

  /**
   * Gives the file its name once it is on the disk.
   *
   * @throws CommandError when there is a file of this name by now, or it cannot be written
   */
  complete(): Promise<void> {
    return explained(this.path, async () => {
      await this.handle.sync();
      await this.close();
      await publish(this.unfinished, this.path);
      this.isComplete = true;
      await syncFolder(dirname(this.path));
    });
  }

  /** Removes the file unless it is complete. */
  async discard(): Promise<void> {
    await this.close();
    if (!this.isComplete) await rm(this.unfinished, { force: true });
  }

  private async close(): Promise<void> {
    if (this.isOpen) await this.handle.close();
    this.isOpen = false;
  }
}

/**
 * Writes a new file, as the texts come. When it cannot be written whole, or the process is told to end meanwhile, nothing of it
 * stays.
 *
 * @throws CommandError when there is such a file, it cannot be written, or the process is told to end; or the error of the
 * texts
 */
export async function writeNewFile(path: string, texts: Texts): Promise<void> {
  await interruptible(async (signal) => {
    const file = await NewFile.begin(path);
    try {
      await file.write(texts, signal);
      await file.complete();
    } catch (error) {
      if ((error as Error).name === 'AbortError')
        throw new CommandError(`Interrupted: ${path} was not written.`);
      throw error;
    } finally {
      await file.discard();
    }
  });
}

/**
 * Returns the name of the file of which this is the unfinished name, as a command that was killed leaves it; undefined for other
 * names.
 */
export function nameOfUnfinished(name: string): string | undefined {
  // SQLite's journal of a copy has an ending of its own.
  return /^(.+)\.[\w-]+\.unfinished(?:-journal)?$/.exec(name)?.[1];
}

function assertNew(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw alreadyExists(path);
}

function alreadyExists(path: string): Error {
  return new CommandError(`The file ${path} already exists; choose another file.`);
}

/** Gives a file its name. A link is refused where there is a file of this name; a change of the name would replace that file. */
async function publish(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(path);
    if (!NO_LINKS.has(code)) throw error;
    assertNew(path);
    return rename(unfinished, path);
  }
  await rm(unfinished);
}

/** Makes the name last, too, should the machine lose its power. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder, and some file systems sync none.
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Does work on a file. @throws CommandError in place of an error of the operating system */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    if (code === undefined || errno === undefined) throw error;
    throw new CommandError({
      message: `The file ${path} cannot be written: ${code}, ${getSystemErrorMessage(errno)}.`,
      cause: error,
    });
  }
}
