import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotFoundError } from '../errors/http-errors';
import { matchesNone } from '../http/response/conditional';
import { Public } from '../security/access.decorators';
import { requestIdOf } from '../tracing/request-id';
import { type DocsFile, DocsFiles } from './docs-files';

/** The docs as users browse them: Swagger UI, the document in its notations, the guide. No key is needed. */
@ApiExcludeController()
@Public()
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly files: DocsFiles) {}

  @Get()
  browser(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.browser);
  }

  @Get('guide')
  guide(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.guide);
  }

  @Get('guide.md')
  guideText(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.guideText);
  }

  @Get('llms.txt')
  llms(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.llms);
  }

  @Get('openapi.json')
  json(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.json);
  }

  @Get('openapi-3.1.json')
  json31(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.json31);
  }

  @Get('openapi.yaml')
  yaml(@Req() request: Request, @Res() response: Response): void {
    this.send(request, response, this.files.yaml);
  }

  @Get(':asset')
  asset(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): void {
    const file = this.files.asset(name);
    if (!file) throw new NotFoundError();
    this.send(request, response, file);
  }

  /** Sends a file, or 304 to a client that has it (RFC 9110, section 13). HEAD gets the same header fields and no body. */
  private send(request: Request, response: Response, file: DocsFile): void {
    response.setHeaders(
      new Map([
        // The names stay when a new version brings other contents, so every use asks whether they still hold.
        ['Cache-Control', 'no-cache'],
        ['Content-Security-Policy', this.files.policy],
        ['ETag', file.tag],
        ['Referrer-Policy', 'no-referrer'],
        ['X-Content-Type-Options', 'nosniff'],
        ['X-Request-Id', requestIdOf(request)],
      ]),
    );
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && matchesNone(condition, file.tag)) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }
}
