import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { send } from '../response/response-writer';
import { OnManagementPort } from './on-management-port.decorator';
import { Public } from '../../security/access.decorators';
import { Metrics } from '../../telemetry/metrics';

/** Metrics of this process, for Prometheus. */
@OnManagementPort()
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async scrape(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { registry } = this.metrics;
    send(request, response, 200, await registry.metrics(), 'no-store', {
      'Content-Type': registry.contentType,
    });
  }
}
