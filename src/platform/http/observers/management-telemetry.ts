import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ResponseObserver } from './response-observer';
import type { AppError } from '../../errors/app-error';
import { RequestLines } from '../../logging/request-lines';

/**
 * What is observed of requests on the management port: a line at debug. They are none of those that are measured, because
 * scrapes and probes would outnumber these on a quiet service.
 */
@Injectable()
export class ManagementTelemetry implements ResponseObserver {
  constructor(private readonly lines: RequestLines) {}

  begin(request: IncomingMessage, response: ServerResponse): void {
    if (!this.lines.isVerbose) return;
    const began = performance.now();
    response.once('close', () =>
      this.lines.note(request as Request, response as Response, performance.now() - began, 'debug'),
    );
  }

  refuse(error: AppError, requestId: string): void {
    this.lines.noteRefusal(error, requestId, 'debug');
  }
}
