import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../platform/audit/actor';
import { type ExitCode, RefusedError } from '../../platform/cli/command-error';
import { Output } from '../../platform/cli/output';
import type { Question, RemoteCommand, RemoteLine, RemoteTerminal } from '../../platform/cli/remote/protocol';
import type { Colour } from '../../platform/cli/table';
import { InvalidBodyError } from '../../platform/errors/http-errors';
import { OnManagementPort } from '../../platform/http/management/on-management-port.decorator';
import { receiveBody } from '../../platform/http/request/body-reader';
import { Public } from '../../platform/security/access.decorators';
import { readJson } from '../../platform/values/json-reader';
import { bearerSession } from '../console/sessions/bearer-session';
import { actorFrom, originOf } from '../console/sessions/new-session';
import { Sessions } from '../console/sessions/sessions.service';
import { RemoteCommands } from './remote-commands.service';

const MAX_COLUMNS = 10_000n;
/** More than any command asks. */
const MAX_CONFIRMED = 10;

/** Where command lines of other machines send commands, with the session that `petstore login` has begun. */
@OnManagementPort()
@Public()
@Controller('admin/commands')
export class RemoteCommandsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly commands: RemoteCommands,
  ) {}

  @Post()
  async run(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { session, operator } = await bearerSession(request, this.sessions);
    const command = readRemoteCommand(await receiveBody(request, response));
    const origin = originOf(request);
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': origin.requestId,
    });
    const output = new ResponseOutput(response, command);
    const actor = actorFrom(origin, operator.actor, session.personName ?? undefined);
    output.end(
      await actingAs(actor, () => this.commands.run(command.args, output, operator, origin.requestId)),
    );
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the body of a request to run a command.
 *
 * @throws InvalidJsonError or InvalidBodyError
 */
function readRemoteCommand(body: Buffer): RemoteCommand {
  const { args, terminal, confirmed } = membersOf(readJson(body));
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) throw unreadable();
  if (!Array.isArray(confirmed) || confirmed.length > MAX_CONFIRMED) throw unreadable();
  return { args, terminal: readTerminal(terminal), confirmed: confirmed.map(readQuestion) };
}

function readTerminal(value: unknown): RemoteTerminal {
  const { isTerminal, hasColours, canAsk, columns } = membersOf(value);
  if (typeof isTerminal !== 'boolean' || typeof hasColours !== 'boolean' || typeof canAsk !== 'boolean') {
    throw unreadable();
  }
  if (columns === null) return { isTerminal, hasColours, canAsk, columns };
  if (typeof columns !== 'bigint' || columns < 0n || columns > MAX_COLUMNS) throw unreadable();
  return { isTerminal, hasColours, canAsk, columns: Number(columns) };
}

function readQuestion(value: unknown): Question {
  const { question, about } = membersOf(value);
  if (typeof question !== 'string' || typeof about !== 'string') throw unreadable();
  return { question, about };
}

function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value as Members;
}

function unreadable() {
  return new InvalidBodyError('The body is no command of a command line that this version understands.');
}

/** The response to a request to run a command: a line of JSON for all that the command writes. */
class ResponseOutput extends Output {
  /** A bar that moves needs the terminal itself. */
  readonly terminal = undefined;
  readonly isTerminal = this.command.terminal.isTerminal;
  readonly columns = this.command.terminal.columns ?? undefined;
  readonly canAsk = this.command.terminal.canAsk;

  constructor(
    private readonly response: Response,
    private readonly command: RemoteCommand,
  ) {
    super();
  }

  /** The person is asked at their terminal; then the command is sent again with the answer. */
  confirm(question: string, about = ''): Promise<true> {
    const { confirmed } = this.command;
    const isConfirmed = confirmed.some((each) => each.question === question && each.about === about);
    if (isConfirmed) return Promise.resolve(true);
    this.write({ ask: { question, about } });
    return Promise.reject(new RefusedError('This is carried out when the person has confirmed it.'));
  }

  text(text: string): void {
    this.write({ out: text });
  }

  async stream(texts: AsyncIterable<string>): Promise<void> {
    try {
      await pipeline(Readable.from(linesOf(texts)), this.response, { end: false });
    } catch (error) {
      // The command line is gone.
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

  /** Nothing when the command line is gone: the command goes on with its work, as when nothing reads its output. */
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
