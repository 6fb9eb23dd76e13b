import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { send } from '../platform/http/response/response-writer';
import { ServiceState } from '../platform/http/service-state';
import { OnManagementPort } from '../platform/http/management/on-management-port.decorator';
import { buildCommit, packageVersion } from '../platform/config/package-version';
import { Public } from '../platform/security/access.decorators';
import { type HealthReport, HealthService } from './health.service';

/**
 * The health of this process with the reasons, for operators and for probes from within: 200, or 503 when the
 * process is not ready. Unlike on the public port, a 503 has the same members as a 200.
 */
@OnManagementPort()
@Public()
@Controller('health')
export class HealthDetailsController {
  private readonly build = { version: packageVersion(), commit: buildCommit() };

  constructor(
    private readonly health: HealthService,
    private readonly service: ServiceState,
  ) {}

  /** Reports all checks. */
  @Get()
  async everything(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { status, ...rest } = await this.health.report();
    respond(request, response, status, { ...this.build, ...runtime(), ...rest });
  }

  /** The process responds; it touches nothing. */
  @Get('live')
  live(@Req() request: Request, @Res() response: Response): void {
    respond(request, response, 'ok', { ...this.build, ...runtime(), lifecycle: this.service.state });
  }

  /** The process can serve, and is not about to stop. */
  @Get('ready')
  async ready(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { status, ...rest } = await this.health.readiness();
    respond(request, response, status, rest);
  }
}

function runtime() {
  return {
    nodeVersion: process.version,
    pid: process.pid,
    uptimeSeconds: Math.floor(process.uptime()),
  };
}

function respond(request: Request, response: Response, status: HealthReport['status'], rest: object): void {
  const body = JSON.stringify({ status, ...rest });
  send(request, response, status === 'unavailable' ? 503 : 200, body, 'no-store');
}
