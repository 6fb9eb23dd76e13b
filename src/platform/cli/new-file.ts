import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CommandError } from './command-error';
import { interruptible } from './interruption';

/**
 * Writes a new file, as the texts come. It has another name, `<file>.<process id>.part`, until it is whole and on the disk;
 * when it cannot be written whole, or the process is told to end meanwhile, nothing of it stays.
 *
 * @throws CommandError when there is such a file, it cannot be written, or the process is told to end; or the error of the
 * texts
 */
export async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  assertNew(file);
  const part = `${file}.${process.pid}.part`;
  try {
    await interruptible((signal) => writePart(part, texts, signal));
    assertNew(file);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const { name, syscall, message } = error as NodeJS.ErrnoException;
    if (name === 'AbortError') throw new CommandError(`Interrupted: ${file} was not written.`);
    throw /^(open|write|fsync|rename)$/.test(syscall ?? '')
      ? new CommandError(`${file} cannot be written: ${message}.`)
      : error;
  }
}

async function writePart(part: string, texts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  // Only its owner may read it: its content is not for every user of this machine.
  const handle = await open(part, 'w', 0o600);
  try {
    for await (const text of Readable.from(texts, { signal })) await handle.writeFile(text as string);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function assertNew(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} already exists; choose another file.`);
}
