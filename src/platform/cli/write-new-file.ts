import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from './command-error';

/**
 * Writes a file that is not there yet, as the texts come. It has another name, `<file>.<process id>.part`, until it is whole and on
 * the disk; when it cannot be written whole nothing of it stays.
 *
 * @throws CommandError when there is such a file, or it cannot be written; or what the texts throw
 */
export async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  assertNew(file);
  const part = `${file}.${process.pid}.part`;
  try {
    await writePart(part, texts);
    assertNew(file);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw /^(open|write|fsync|rename)$/.test(syscall ?? '')
      ? new CommandError(`${file} cannot be written: ${message}.`)
      : error;
  }
}

async function writePart(part: string, texts: AsyncIterable<string>): Promise<void> {
  // For whoever writes it alone: what it holds is not for everybody on this machine.
  const handle = await open(part, 'w', 0o600);
  try {
    for await (const text of texts) await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function assertNew(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} is there already; name another file.`);
}
