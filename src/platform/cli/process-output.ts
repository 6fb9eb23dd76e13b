import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { PROGRAM } from '../config/called-as';
import { CommandError, ExitCode } from './command-error';
import { interruptible } from './interruption';
import { Output } from './output';
import type { Colour } from './table';

/** Output to the standard output and standard error of this process. */
export class ProcessOutput extends Output {
  constructor(
    private readonly stdout: NodeJS.WriteStream,
    private readonly stderr: NodeJS.WriteStream,
    override readonly call: string = PROGRAM,
  ) {
    super();
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // The reader may stop reading, as `head` does. The command goes on with its work.
        if (error.code === 'EPIPE') return;
        if (stream === stdout) this.message(`The output cannot be written: ${error.message}.`);
        process.exit(ExitCode.failed);
      });
    }
  }

  get terminal(): WriteStream | undefined {
    return this.stderr.isTTY ? this.stderr : undefined;
  }

  get isTerminal(): boolean {
    return this.stdout.isTTY;
  }

  get columns(): number | undefined {
    return this.stdout.columns;
  }

  get canAsk(): boolean {
    return process.stdin.isTTY && this.stderr.isTTY;
  }

  /** True if texts are coloured. */
  get hasColours(): boolean {
    return this.paint('bold', '-') !== '-';
  }

  /** Asks the person at the terminal; anything but yes is no, as are the end of the input and Ctrl+C. */
  async confirm(question: string): Promise<boolean> {
    this.nameDatabase();
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // Without this, a closed input would leave the question open for ever, and the process would end as if all were done.
    const closed = once(terminal, 'close').then(() => '');
    try {
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      terminal.close();
    }
  }

  text(text: string): void {
    this.stdout.write(text);
  }

  async stream(texts: AsyncIterable<string>, file?: string): Promise<void> {
    if (file !== undefined) return writeNewFile(file, texts);
    try {
      await pipeline(Readable.from(texts), this.stdout, { end: false });
    } catch (error) {
      // With EPIPE, the reader has enough.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  }

  /** Writes a text, and waits until the reader has taken it or is gone. */
  async textTaken(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.stdout.write(text, () => resolve());
    });
  }

  /** Writes a message of another process for the person. */
  say(text: string): void {
    this.stderr.write(text);
  }

  protected paint(colour: Colour, text: string): string {
    return styleText(colour, text, { stream: this.stdout });
  }
}

/**
 * Writes a new file, as the texts come. It has another name, `<file>.<process id>.part`, until it is whole and on the disk;
 * when it cannot be written whole, or the process is told to end meanwhile, nothing of it stays.
 *
 * @throws CommandError when there is such a file, it cannot be written, or the process is told to end; or the error of the
 * texts
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
  if (existsSync(file)) throw new CommandError(`${file} already exists; choose another file.`);
}
