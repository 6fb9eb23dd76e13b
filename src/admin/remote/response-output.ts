import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import type { Response } from 'express';
import { PROGRAM } from '../../platform/config/called-as';
import { type ExitCode, RefusedError } from '../../platform/cli/command-error';
import { Output } from '../../platform/cli/output';
import type { RemoteCommand, RemoteLine } from '../../platform/cli/remote/protocol';
import type { Colour } from '../../platform/cli/table';

/** Writes the output of a command into the response, one line of JSON for each part. */
export class ResponseOutput extends Output {
  /** Undefined: a moving bar needs the terminal itself. */
  readonly terminal = undefined;
  readonly isTerminal = this.command.terminal.isTerminal;
  readonly columns = this.command.terminal.columns ?? undefined;
  readonly canAsk = this.command.terminal.canAsk;
  override readonly call = this.command.call ?? PROGRAM;

  constructor(
    private readonly response: Response,
    private readonly command: RemoteCommand,
  ) {
    super();
  }

  /** Lets the command line ask the person at their terminal, and send the command again with the answer. */
  confirm(question: string, about = ''): Promise<true> {
    const { confirmed } = this.command;
    const isConfirmed = confirmed.some((each) => each.question === question && each.about === about);
    if (isConfirmed) return Promise.resolve(true);
    this.write({ ask: { question, about } });
    return Promise.reject(new RefusedError('This is carried out after the operator has confirmed it.'));
  }

  text(text: string): void {
    this.write({ out: text });
  }

  async stream(texts: AsyncIterable<string>): Promise<void> {
    try {
      await pipeline(Readable.from(linesOf(texts)), this.response, { end: false });
    } catch (error) {
      // The command line has disconnected.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  /** Ends the response. */
  end(exitCode: ExitCode): void {
    this.write({ exitCode });
    this.response.end();
  }

  protected paint(colour: Colour, text: string): string {
    return this.command.terminal.hasColours ? styleText(colour, text, { validateStream: false }) : text;
  }

  protected say(text: string): void {
    this.write({ say: text });
  }

  /** Writes nothing after the command line has disconnected: the command continues, as if nobody read its output. */
  private write(line: RemoteLine): void {
    if (!this.response.destroyed) this.response.write(textOf(line));
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield textOf({ out: text });
}

function textOf(line: RemoteLine): string {
  return `${JSON.stringify(line)}\n`;
}
