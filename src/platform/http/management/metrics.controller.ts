import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { send } from '../response/response-writer';
import { OnManagementPort } from './on-management-port.decorator';
import { Public } from '../../security/access.decorators';
import { NodeMetrics } from '../../telemetry/node-metrics';

/** Metrics of the node, for Prometheus. */
@OnManagementPort()
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: NodeMetrics) {}

  @Get()
  async scrape(@Req() request: Request, @Res() response: Response): Promise<void> {
    const text = await this.metrics.text();
    send(request, response, 200, text, 'no-store', { 'Content-Type': this.metrics.contentType });
  }
}
