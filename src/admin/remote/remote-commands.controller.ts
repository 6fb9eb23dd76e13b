import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../platform/audit/actor';
import { PROGRAM } from '../../platform/config/called-as';
import type { Question, RemoteCommand, RemoteTerminal } from '../../platform/cli/remote/protocol';
import { InvalidBodyError } from '../../platform/errors/http-errors';
import { OnManagementPort } from '../../platform/http/management/on-management-port.decorator';
import { receiveBody } from '../../platform/http/request/body-reader';
import { Public } from '../../platform/security/access.decorators';
import { readJson } from '../../platform/values/json-reader';
import { bearerOperator } from '../console/sessions/bearer-session';
import { actorFrom, originOf } from '../console/sessions/new-session';
import { Sessions } from '../console/sessions/sessions.service';
import { RemoteCommands } from './remote-commands.service';
import { ResponseOutput } from './response-output';

const MAX_COLUMNS = 10_000n;
/** Longest name by which the program was called, in characters: it may be a path. */
const MAX_CALL = 4_096;
/** Maximum number of confirmations of a command, which is more than any asks for. */
const MAX_CONFIRMED = 10;

/**
 * Runs commands for command lines on other machines, with the session that `petstore login` has begun; and those that read for
 * the tools of assistants, with an API key.
 */
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
    const { operator, personName } = await bearerOperator(request, this.sessions);
    const command = readRemoteCommand(await receiveBody(request, response));
    const origin = originOf(request);
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': origin.requestId,
    });
    const output = new ResponseOutput(response, command);
    const actor = actorFrom(origin, operator.actor, personName);
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
  const { args, call = PROGRAM, terminal, confirmed } = membersOf(readJson(body));
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) throw unreadable();
  if (typeof call !== 'string' || call.length > MAX_CALL) throw unreadable();
  if (!Array.isArray(confirmed) || confirmed.length > MAX_CONFIRMED) throw unreadable();
  return { args, call, terminal: readTerminal(terminal), confirmed: confirmed.map(readQuestion) };
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
  return new InvalidBodyError('The body is not a command that this version understands.');
}
