import { Get, Param } from '@nestjs/common';
import { NotFoundError } from '../../../platform/errors/http-errors';
import { ComposedResponse } from '../../../platform/http/response/composed-response';
import { ConsoleAssets } from './assets.service';
import { ConsoleController, ConsolePublic } from '../../../platform/features/console-controller.decorator';
import { PAGE_HEADERS } from '../http/page-headers';

/** The files that pages load. */
@ConsoleController('assets')
@ConsolePublic()
export class AssetsController {
  constructor(private readonly assets: ConsoleAssets) {}

  @Get(':file')
  file(@Param('file') name: string): ComposedResponse {
    const asset = this.assets.find(name);
    if (!asset) throw new NotFoundError();
    const headers = {
      ...PAGE_HEADERS,
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    };
    return new ComposedResponse(200, headers, asset.body);
  }
}
