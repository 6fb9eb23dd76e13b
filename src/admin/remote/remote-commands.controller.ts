import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../platform/audit/actor';
import { OnManagementPort } from '../../platform/http/management/on-management-port.decorator';
import { receiveBody } from '../../platform/http/request/body-reader';
import { Public } from '../../platform/security/access.decorators';
import { bearerSession } from '../console/sessions/bearer-session';
import { actorFrom, originOf } from '../console/sessions/new-session';
import { Sessions } from '../console/sessions/sessions.service';
import { readRemoteCommand } from './remote-command';
import { RemoteCommands } from './remote-commands.service';
import { ResponseOutput } from './response-output';

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
