import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './command-error';

/**
 * Writes a file that is not there yet, as the texts come. One that could not be written whole is taken away again.
 *
 * @throws CommandError when there is such a file, or it cannot be written; or what the texts throw
 */
export async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx' });
  try {
    await pipeline(Readable.from(texts), stream);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${file} is there already; name another file.`);
    if (!stream.pending) await rm(file, { force: true });
    throw syscall === 'open' || syscall === 'write'
      ? new CommandError(`${file} cannot be written: ${message}.`)
      : error;
  }
}
