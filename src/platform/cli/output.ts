import type { WriteStream } from 'node:tty';
import { exactJson } from '../values/exact-json';
import { redactTokens } from '../logging/redact-tokens';
import { PROGRAM, withCalls } from '../config/called-as';
import { type Colour, renderTable, type Table } from './table';

/** Where a command writes: data to standard output, everything said to people to standard error. */
export abstract class Output {
  /** Standard error, when a person watches it. */
  abstract readonly terminal: WriteStream | undefined;
  /** Whether data goes to a terminal, where a person reads it. */
  abstract readonly isTerminal: boolean;
  /** How wide the terminal is, in characters; undefined when it is not known. */
  abstract readonly columns: number | undefined;
  /** How the person has called the program, as {@link calledAs} has it. */
  readonly call: string = PROGRAM;
  /** The words of the command that writes, as `keys list`. */
  commandName = '';
  /** Whether a person can be asked something. */
  abstract readonly canAsk: boolean;
  /** Shown on the terminal at present, below what is said. */
  bar: { writeAbove(lines: string): void } | undefined;
  private hasSpoken = false;
  /** The database that the command works on. */
  private database: { readonly location: string; isNamed: boolean } | undefined;

  /**
   * Asks the person at the terminal; anything but yes is no.
   *
   * @param about what the answer holds for, where the question does not say it: the version of a record
   */
  abstract confirm(question: string, about?: string): Promise<boolean>;

  /** Writes a text as it is: the data of a command whose data is a text. */
  abstract text(text: string): void;

  /**
   * Writes texts as they come, as fast as the reader takes them.
   *
   * @param file a new file to write to instead of standard output; there when it is whole
   * @throws CommandError when there is such a file, or it cannot be written
   */
  abstract stream(texts: AsyncIterable<string>, file?: string): Promise<void>;

  /** Integers of any size exactly. */
  json(value: unknown): void {
    if (this.database) this.database.isNamed = true;
    this.text(`${exactJson(value, 2)}\n`);
  }

  /**
   * Aligned columns that fit the terminal; elsewhere one line a row, its cells separated by tabs and whole. Colours are for
   * terminals, unless NO_COLOR or FORCE_COLOR say otherwise.
   */
  table(table: Table): void {
    const { isTerminal, columns } = this;
    const paint = (colour: Colour, text: string) => this.paint(colour, text);
    const text = renderTable(table, { isTerminal, columns, paint });
    this.noteName(text);
    this.text(text);
  }

  /** Says something to the person. An API key in it, such as a mistyped argument, is not repeated. */
  message(text: string): void {
    this.hasSpoken = true;
    this.noteName(text);
    const line = `${redactTokens(withCalls(text, this.call))}
`;
    if (this.bar) this.bar.writeAbove(line);
    else this.say(line);
  }

  /** Takes down where the database is that the command works on, for {@link nameDatabase}. */
  worksOn(location: string): void {
    if (this.database?.location !== location) this.database = { location, isNamed: false };
  }

  /**
   * Tells which database the command works on, before a question or at the end; once, and not beside JSON. Without a terminal only after
   * something else was said, as what changes something does: a cron job on a wrong file shows it, and a list in a script is
   * silent.
   */
  nameDatabase(): void {
    const isHeard = this.terminal !== undefined || this.hasSpoken;
    if (isHeard && this.database?.isNamed === false) this.message(`Database: ${this.database.location}`);
  }

  private noteName(text: string): void {
    if (this.database && text.includes(this.database.location)) this.database.isNamed = true;
  }

  /** Colours a text, where colours are wanted. */
  protected abstract paint(colour: Colour, text: string): string;

  /** Writes to standard error. */
  protected abstract say(text: string): void;
}
