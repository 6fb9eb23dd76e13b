import { Readable } from 'node:stream';
import { Get, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { ImportLedger } from '../../../records/transfer/import-ledger.repository';
import type { ImportFormat } from '../../../records/transfer/formats';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { besideRequests } from '../../http/beside-requests';
import { downloadHeaders } from '../list/download-headers';
import { RecordScope } from '../record-scope';

/** Gives the refused rows of an import to download, with the reasons. */
@ConsoleController('records')
export class ImportRefusalsController {
  constructor(
    private readonly ledger: ImportLedger,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/imports/:run/refused')
  async file(
    @Param('kind') name: string,
    @Param('run') text: string,
    @CurrentRequest() request: ConsoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'create');
    const id = parseDecimalInt64(text);
    const run = id === undefined ? undefined : await this.ledger.find(recordType, id);
    if (!run || (await this.ledger.refusedSize(run.id)) === 0)
      throw new PageNotFoundError('No refused rows of this import are kept.');
    response.set(downloadHeaders(`${name}-refused-${run.id}`, run.format as ImportFormat));
    return new StreamableFile(
      Readable.from(besideRequests(this.ledger.refused(run.id)), { highWaterMark: 1 }),
    );
  }
}
