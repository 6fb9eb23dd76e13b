import type { WriteStream } from 'node:tty';
import { exactJson } from '../values/exact-json';
import { redactTokens } from '../logging/redact-tokens';
import { PROGRAM, withCalls } from '../config/called-as';
import { type Colour, renderTable, type Table } from './table';

/** Output of a command: data goes to standard output, messages to people go to standard error. */
export abstract class Output {
  /** Standard error, if a person watches it. */
  abstract readonly terminal: WriteStream | undefined;
  /** True if data goes to a terminal, where a person reads it. */
  abstract readonly isTerminal: boolean;
  /** Width of the terminal in characters; undefined when it is not known. */
  abstract readonly columns: number | undefined;
  /** Call by which the person started the program, as {@link calledAs} returns it. */
  readonly call: string = PROGRAM;
  /** Words of the command that writes, such as `keys list`. */
  commandName = '';
  /** True if a person can be asked something. */
  abstract readonly canAsk: boolean;
  /** Progress bar on the terminal at present, below the messages. */
  bar: { writeAbove(lines: string): void } | undefined;
  private hasSpoken = false;
  /** Database that the command works on. */
  private database: { readonly location: string; isNamed: boolean } | undefined;

  /**
   * Asks the person at the terminal; anything but yes is no.
   *
   * @param about subject of the answer, if the question does not name it: the version of a record
   */
  abstract confirm(question: string, about?: string): Promise<boolean>;

  /** Writes a text unchanged: the data of a command whose data is a text. */
  abstract text(text: string): void;

  /**
   * Writes texts as they come, as fast as the reader takes them.
   *
   * @param file a new file to write to instead of standard output; it appears once it is whole
   * @throws CommandError when there is such a file, or it cannot be written
   */
  abstract stream(texts: AsyncIterable<string>, file?: string): Promise<void>;

  /** Writes a value as JSON, integers of any size exactly. */
  json(value: unknown): void {
    if (this.database) this.database.isNamed = true;
    this.text(`${exactJson(value, 2)}\n`);
  }

  /**
   * Writes aligned columns that fit the terminal; elsewhere one line a row, its cells whole and separated by tabs. Only
   * terminals get colours, unless NO_COLOR or FORCE_COLOR say otherwise.
   */
  table(table: Table): void {
    const { isTerminal, columns } = this;
    const paint = (colour: Colour, text: string) => this.paint(colour, text);
    const text = renderTable(table, { isTerminal, columns, paint });
    this.noteName(text);
    this.text(text);
  }

  /** Writes a message to the person. An API key in it, such as a mistyped argument, is not repeated. */
  message(text: string): void {
    this.hasSpoken = true;
    this.noteName(text);
    const line = `${redactTokens(withCalls(text, this.call))}
`;
    if (this.bar) this.bar.writeAbove(line);
    else this.say(line);
  }

  /** Remembers the location of the database that the command works on, for {@link nameDatabase}. */
  worksOn(location: string): void {
    if (this.database?.location !== location) this.database = { location, isNamed: false };
  }

  /**
   * Names the database that the command works on, before a question or at the end; once, and not beside JSON. Without a
   * terminal it does so only after another message, as commands that change something write one: a cron job on a wrong file
   * shows it, and a list in a script is silent.
   */
  nameDatabase(): void {
    const isHeard = this.terminal !== undefined || this.hasSpoken;
    if (isHeard && this.database?.isNamed === false) this.message(`Database: ${this.database.location}`);
  }

  private noteName(text: string): void {
    if (this.database && text.includes(this.database.location)) this.database.isNamed = true;
  }

  /** Colours a text, if colours are wanted. */
  protected abstract paint(colour: Colour, text: string): string;

  /** Writes to standard error. */
  protected abstract say(text: string): void;
}
