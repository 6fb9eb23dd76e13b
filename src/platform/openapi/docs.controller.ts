import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Settings } from '../config/settings';
import { InjectSettings } from '../config/settings.module';
import { NotFoundError } from '../errors/http-errors';
import { matchesNone } from '../http/request/conditional';
import { send } from '../http/response/response-writer';
import { QuietLog } from '../logging/quiet-log.decorator';
import { Public } from '../security/access.decorators';
import { RequestAuthenticator } from '../security/request-authenticator';
import { requestIdOf } from '../tracing/request-id';
import { ServiceAddress } from '../values/service-address';
import { CODINGS, type DocsFile } from './docs-file';
import { DocsFiles } from './docs-files';

/** For files that keep their name when a new version changes their contents: the browser asks before every use. */
const ASKED_FIRST = 'no-cache';

/** For files with a hash of their contents in their address. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Origins that samples may name. They are copied into shells, so no other character may stand there. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,260}$/;

/** The docs as users browse them: Swagger UI, the document in its notations, the guide. No key is needed, but for what is said of one. */
@ApiExcludeController()
@Public()
@QuietLog()
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(
    private readonly files: DocsFiles,
    private readonly address: ServiceAddress,
    private readonly authenticator: RequestAuthenticator,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  browser(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.browser(this.rootFor(request)));
  }

  @Get('guide')
  guide(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.guide(this.rootFor(request)));
  }

  @Get('guide.md')
  guideText(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.guideText(this.rootFor(request)));
  }

  @Get('llms.txt')
  llms(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.llms);
  }

  @Get('openapi.json')
  json(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.json);
  }

  @Get('openapi-3.1.json')
  json31(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.json31);
  }

  @Get('openapi.yaml')
  yaml(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, this.files.yaml);
  }

  /** Tells the page what the key of its reader may do, without using up a request of the key. */
  @Get('key')
  async key(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { scopes, limits } = await this.authenticator.authenticate(request);
    const requestsPerMinute = limits?.perMinute ?? this.settings.rateLimitPerMinute;
    send(request, response, 200, JSON.stringify({ scopes: [...scopes], requestsPerMinute }), 'no-store');
  }

  /** Sends a release of the TypeScript client, which npm installs by this address. */
  @Get('petstore-client-:version.tgz')
  clientPackage(
    @Param('version') version: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = this.files.clientPackage(`petstore-client-${version}.tgz`);
    if (!file) throw new NotFoundError();
    return this.send(request, response, file, FOR_EVER);
  }

  /**
   * Sends a file that is served unchanged.
   *
   * @param version of the files that a page was rendered for; a page of another version of the service gets the present ones
   */
  @Get('files/:version/:asset')
  asset(
    @Param('version') version: string,
    @Param('asset') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = this.files.asset(name);
    if (!file) throw new NotFoundError();
    return this.send(request, response, file, version === this.files.version ? FOR_EVER : ASKED_FIRST);
  }

  /** Returns the root of the addresses in samples; undefined if they must not name what the reader has called. */
  private rootFor(request: Request): string | undefined {
    const root = this.address.rootFor(request);
    return root === this.address.root || ORIGIN.test(root) ? root : undefined;
  }

  /** Sends a file, or 304 to a client that has it (RFC 9110, section 13). HEAD gets the same header fields and no body. */
  private async send(
    request: Request,
    response: Response,
    whole: DocsFile,
    caching = ASKED_FIRST,
  ): Promise<void> {
    const coding = CODINGS.find((each) => request.acceptsEncodings(each) === each);
    const file = coding ? await whole.compressed(coding) : whole;
    response.vary('Accept-Encoding');
    response.setHeaders(
      new Map([
        ['Cache-Control', caching],
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
    if (file.encoding) response.setHeader('Content-Encoding', file.encoding);
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }
}
