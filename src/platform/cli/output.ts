import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { exactJson } from '../values/exact-json';
import { redactTokens } from '../logging/redact-tokens';
import { ExitCode, UsageError } from './command-error';
import { type Texts, writeNewFile } from './new-file';
import type { ProgressBar } from './progress-bar';
import { printableLines, renderTable } from './table';
import { type Table, withColumns } from './table-layout';

/** Output of a command: data goes to standard output, messages to people go to standard error. */
export class Output {
  /** Words of the command that writes, such as `keys list`. */
  commandName = '';
  /** The form of tables that the person has asked for: all columns whole, or names of columns. */
  tableForm: 'wide' | readonly string[] | undefined;
  /** Progress bar on the terminal at present, below the messages. */
  bar: { writeAbove(lines: string): void } | undefined;
  private hasSpoken = false;
  /** Message for a person if the data that is being written cannot be. */
  private lost: string | undefined;
  /** Location of the database that the command works on. */
  private location: string | undefined;
  /** Locations that the person need not be told, because the command tells them, or writes JSON. */
  private readonly told = new Set<string>();

  constructor(
    private readonly stdout: NodeJS.WriteStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        const lost = stream === stdout ? this.lost : undefined;
        // The reader may stop reading, as `head` does. The command goes on with its work.
        if (error.code === 'EPIPE' && lost === undefined) return;
        if (stream === stdout) this.message(`The output cannot be written: ${error.message}.`);
        if (lost !== undefined) this.message(lost);
        process.exit(ExitCode.failed);
      });
    }
  }

  /** Standard error, if a person watches it. */
  get terminal(): WriteStream | undefined {
    return this.stderr.isTTY ? this.stderr : undefined;
  }

  /** True if data goes to a terminal, where a person reads it. */
  get isTerminal(): boolean {
    return this.stdout.isTTY;
  }

  /** Width of the terminal in characters; undefined when it is not known. */
  get columns(): number | undefined {
    return this.stdout.columns;
  }

  /** True if a person can be asked something. */
  get canAsk(): boolean {
    return process.stdin.isTTY && this.stderr.isTTY;
  }

  /** Asks the person at the terminal; anything but yes is no, as are the end of the input and Ctrl+C. */
  async confirm(question: string): Promise<boolean> {
    this.nameDatabase();
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // Without this, a closed input would leave the question open for ever, and the process would end as if all were done.
    const closed = once(terminal, 'close').then(() => '');
    try {
      const answer = await Promise.race([terminal.question(`${printableLines(question)} [y/N] `), closed]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      terminal.close();
    }
  }

  /**
   * Writes data that exists nowhere else. If standard output does not take it, the process ends with {@link ExitCode.failed}.
   *
   * @param lost what the person has to know then
   */
  async irreplaceable(write: () => void, lost: string): Promise<void> {
    this.lost = lost;
    write();
    // Resolves once the other end has everything; if it does not take it, the handler of the error ends the process.
    await new Promise<void>((done) => this.stdout.write('', (error) => !error && done()));
    this.lost = undefined;
  }

  /** Writes a text: the data of a command whose data is a text. A terminal gets no control characters of it. */
  text(text: string): void {
    this.stdout.write(this.isTerminal ? printableLines(text) : text);
  }

  /**
   * Writes texts as they come, as fast as the reader takes them.
   *
   * @param file a new file to write to instead of standard output; it appears once it is whole
   * @throws CommandError when there is such a file, or it cannot be written
   */
  async stream(texts: Texts, file?: string): Promise<void> {
    if (file !== undefined) return writeNewFile(file, texts);
    try {
      const shown = this.isTerminal ? printableTexts(texts) : texts;
      await pipeline(Readable.from(shown), this.stdout, { end: false });
    } catch (error) {
      // With EPIPE, the reader has enough.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  }

  /** Writes a value as JSON, integers of any size exactly. */
  json(value: unknown): void {
    if (this.location !== undefined) this.told.add(this.location);
    this.text(`${exactJson(value, 2)}\n`);
  }

  /**
   * Writes aligned columns that fit the terminal; elsewhere one line a row, its cells whole and separated by tabs. Only
   * terminals get colours, unless NO_COLOR or FORCE_COLOR say otherwise.
   *
   * @throws UsageError when a column that the person has asked for does not exist
   */
  table(table: Table): void {
    const { isTerminal, tableForm = [] } = this;
    const isWide = tableForm === 'wide';
    const shown = isWide || tableForm.length === 0 ? table : chosen(table, tableForm);
    const text = renderTable(shown, {
      isTerminal,
      columns: isWide ? undefined : this.columns,
      paint: (colour, cell) => styleText(colour, cell, { stream: this.stdout }),
    });
    this.stdout.write(text);
  }

  /** Writes a message to the person. An API key in it, such as a mistyped argument, is not repeated. */
  message(text: string): void {
    this.hasSpoken = true;
    // Arguments that it repeats could drive the terminal.
    const line = `${redactTokens(printableLines(text))}\n`;
    if (this.bar) this.bar.writeAbove(line);
    else this.stderr.write(line);
  }

  /** Makes a bar for the progress of long work, such as `Adding pets`. Where nobody watches, it shows nothing. */
  async progress(label: string): Promise<ProgressBar> {
    const loaded = await import('./progress-bar.js');
    return new loaded.ProgressBar(this, label);
  }

  /** Remembers the location of the database that the command works on, for {@link nameDatabase}. */
  worksOn(location: string): void {
    this.location = location;
  }

  /** Returns the location of a database, for a text of the command that names it. */
  naming(location: string): string {
    this.told.add(location);
    return location;
  }

  /**
   * Names the database that the command works on, before a question or at the end; once, and not beside JSON. Without a
   * terminal it does so only after another message, as commands that change something write one: a cron job on a wrong file
   * shows it, and a list in a script is silent.
   */
  nameDatabase(): void {
    const isHeard = this.terminal !== undefined || this.hasSpoken;
    const { location } = this;
    if (!isHeard || location === undefined || this.told.has(location)) return;
    this.message(`Database: ${this.naming(location)}`);
  }
}

/** Returns the columns of these names, in any letter case and with hyphens for blanks, none of which gives way or is cut. */
function chosen(table: Table, names: readonly string[]): Table {
  const wanted = names.map((name) => {
    const header = name.trim().replaceAll('-', ' ').toUpperCase();
    if (table.header.includes(header)) return header;
    const known = table.header.map((each) => each.toLowerCase().replaceAll(' ', '-'));
    throw new UsageError(`There is no column "${name}". The columns are ${known.join(', ')}.`);
  });
  const { wrapped: _, ...unwrapped } = table;
  return withColumns({ ...unwrapped, spare: [], short: {}, whole: wanted }, wanted);
}

async function* printableTexts(texts: Texts): AsyncGenerator<string> {
  for await (const text of texts) yield printableLines(text);
}
