import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { linesOf } from './text-lines';

/** The form of the tokens that are searched. */
export interface TokenForm {
  /** An extended regular expression of POSIX, which finds all tokens and few other texts. */
  readonly pattern: string;
  /** Length of every token, in characters. */
  readonly length: number;
  /** Returns the tokens in a text. */
  readonly find: (this: void, text: string) => readonly string[];
}

/** A token that was found, and where. */
export interface FoundToken {
  readonly token: string;
  /** Path below the scanned folder; null in the message of a commit. */
  readonly file: string | null;
  /** Counted from 1; in the message of a commit, from its first line. */
  readonly line: number;
  /** Commit that added it; null for a file as it is now. */
  readonly commit: string | null;
}

/**
 * Finds tokens in a file, or in all files below a folder. Git's own folder is left out, and links are not followed.
 *
 * @param skip called with each file or folder that cannot be read
 */
export async function* scanFiles(
  root: string,
  tokens: TokenForm,
  skip: (path: string) => void,
): AsyncGenerator<FoundToken> {
  const isFolder = (await stat(root)).isDirectory();
  for await (const path of isFolder ? filesBelow(root, skip) : [root]) {
    const file = isFolder ? relative(root, path) : basename(path);
    try {
      for await (const { text, line } of linesOf(createReadStream(path), tokens.length - 1)) {
        for (const token of tokens.find(text)) yield { token, file, line, commit: null };
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      skip(file);
    }
  }
}

async function* filesBelow(folder: string, skip: (path: string) => void): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => skip(folder));
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') yield* filesBelow(path, skip);
    else if (entry.isFile()) yield path;
  }
}
