import { type FileHandle, open } from 'node:fs/promises';
import { CommandError } from '../../platform/cli/command-error';

/** Bytes that are read at once, from the end backwards. */
const CHUNK = 65_536;

/** A file of lines that a command has begun and continues. */
export interface ContinuedFile {
  /** The last line, if there is one. */
  readonly lastLine: string | undefined;
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file to append lines to it, and cuts off what a killed process has written of its last line. A new file can be read by
 * its owner alone.
 *
 * @throws CommandError if it cannot be opened, read or written
 */
export async function continueFile(file: string): Promise<ContinuedFile> {
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new CommandError(`${file} cannot be continued: ${(error as Error).message}.`);
    }
  };
  const handle = await explained(open(file, 'a+', 0o600));
  const close = () => handle.close();
  try {
    const lastLine = await explained(readLastLine(handle));
    return { lastLine, append: (text) => explained(handle.appendFile(text)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readLastLine(handle: FileHandle): Promise<string | undefined> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new Error('it is not a regular file');
  let tail: Buffer = Buffer.alloc(0);
  let start = stat.size;
  let [begin, end] = [-1, -1];
  while (begin < 0 && start > 0) {
    const length = Math.min(CHUNK, start);
    start -= length;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    tail = Buffer.concat([buffer.subarray(0, bytesRead), tail]);
    end = tail.lastIndexOf('\n');
    begin = end > 0 ? tail.lastIndexOf('\n', end - 1) : -1;
  }
  const wholeSize = start + end + 1;
  if (wholeSize < stat.size) await handle.truncate(wholeSize);
  return end < 0 ? undefined : tail.toString('utf8', begin + 1, end);
}
