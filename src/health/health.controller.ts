import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { sendError } from '../platform/http/exchange/error-response';
import { ServiceUnavailableError } from '../platform/errors/http-errors';
import { send } from '../platform/http/response/response-writer';
import { ServiceState, stoppingError } from '../platform/http/service-state';
import { QuietLog } from '../platform/logging/quiet-log.decorator';
import { Public } from '../platform/security/access.decorators';
import { HealthService } from './health.service';

const OK = JSON.stringify({ status: 'ok' });

/** Probes for the orchestrator and the operator: 200 or 503, no key. */
@ApiExcludeController()
@Public()
@QuietLog()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly service: ServiceState,
  ) {}

  /** The process responds; it touches nothing. */
  @Get('live')
  live(@Req() request: Request, @Res() response: Response): void {
    send(request, response, 200, OK, 'no-store');
  }

  /** The process can serve, and is not about to stop. */
  @Get('ready')
  async ready(@Req() request: Request, @Res() response: Response): Promise<void> {
    // Not thrown: a probe during the stop is no fault to log.
    if (this.service.state !== 'serving') return sendError(request, response, stoppingError());
    if (!(await this.health.isReady())) {
      throw new ServiceUnavailableError({
        message: 'The service is not ready: its database does not answer, or lacks tables or columns.',
      });
    }
    send(request, response, 200, OK, 'no-store');
  }
}
