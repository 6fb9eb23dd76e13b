import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { WriteStream } from 'node:tty';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { exactJson } from '../values/exact-json';
import { redactTokens } from '../logging/redact-tokens';
import { CommandError, ExitCode } from './command-error';
import { interruptible } from './interruption';
import { type Colour, renderTable, type Table } from './table';

/** Where a command writes: data to standard output, everything said to people to standard error. */
export class Output {
  constructor(
    private readonly stdout: NodeJS.WriteStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // The reader may stop reading, as `head` does. The command goes on with its work.
        if (error.code === 'EPIPE') return;
        if (stream === stdout) this.message(`The output cannot be written: ${error.message}.`);
        process.exit(ExitCode.failed);
      });
    }
  }

  /** Standard error, when a person watches it. */
  get terminal(): WriteStream | undefined {
    return this.stderr.isTTY ? this.stderr : undefined;
  }

  /** Whether data goes to a terminal, where a person reads it. */
  get isTerminal(): boolean {
    return this.stdout.isTTY;
  }

  /** Whether a person can be asked something. */
  get canAsk(): boolean {
    return process.stdin.isTTY && this.stderr.isTTY;
  }

  /** Integers of any size exactly. */
  json(value: unknown): void {
    this.stdout.write(`${exactJson(value, 2)}\n`);
  }

  /**
   * Aligned columns that fit the terminal; elsewhere one line a row, its cells separated by tabs and whole. Colours are for
   * terminals, unless NO_COLOR or FORCE_COLOR say otherwise.
   */
  table(table: Table): void {
    const { isTTY: isTerminal, columns } = this.stdout;
    const paint = (colour: Colour, text: string) => styleText(colour, text, { stream: this.stdout });
    this.stdout.write(renderTable(table, { isTerminal, columns, paint }));
  }

  /** Writes a text as it is: the data of a command whose data is a text. */
  text(text: string): void {
    this.stdout.write(text);
  }

  /**
   * Writes texts as they come, as fast as the reader takes them.
   *
   * @param file a new file to write to instead of standard output; there when it is whole
   * @throws CommandError when there is such a file, or it cannot be written
   */
  async stream(texts: AsyncIterable<string>, file?: string): Promise<void> {
    if (file !== undefined) return writeNewFile(file, texts);
    try {
      await pipeline(Readable.from(texts), this.stdout, { end: false });
    } catch (error) {
      // The reader has enough.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  }

  /** Says something to the person. An API key in it, such as a mistyped argument, is not repeated. */
  message(text: string): void {
    this.stderr.write(`${redactTokens(text)}\n`);
  }
}

/**
 * Writes a file that is not there yet, as the texts come. It has another name, `<file>.<process id>.part`, until it is whole and on
 * the disk; when it cannot be written whole, or the process is told to end meanwhile, nothing of it stays.
 *
 * @throws CommandError when there is such a file, it cannot be written, or the process is told to end; or what the texts throw
 */
async function writeNewFile(file: string, texts: AsyncIterable<string>): Promise<void> {
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
  if (existsSync(file)) throw new CommandError(`${file} is there already; name another file.`);
}
