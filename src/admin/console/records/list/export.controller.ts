import { Readable } from 'node:stream';
import { Get, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { RecordsService } from '../../../records/records.service';
import { ExportService } from '../../../records/transfer/export.service';
import { EXPORT_FORMATS } from '../../../records/transfer/formats';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { besideRequests } from '../../http/beside-requests';
import { today } from '../../http/days';
import { readListQuery } from './list-query';
import { downloadHeaders } from './download-headers';
import { factsOf } from './list-facts';
import { listPath } from '../record-paths';
import { RecordScope } from '../record-scope';

/** Exports lists as files: all records that match the filters of an address, in its order. */
@ConsoleController('records')
export class ExportController {
  constructor(
    private readonly records: RecordsService,
    private readonly exports: ExportService,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/export/:format')
  file(
    @Param('kind') name: string,
    @Param('format') formatName: string,
    @CurrentRequest() request: ConsoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile | SeeOther {
    const recordType = this.scope.recordTypeNamed(name);
    const format = EXPORT_FORMATS.find((each) => each === formatName);
    if (!format) throw new PageNotFoundError(`Records are exported as ${EXPORT_FORMATS.join(', ')}.`);
    const query = readListQuery(factsOf(this.records, recordType), request.query);
    // The list shows what is wrong.
    if (Object.keys(query.faults).length > 0)
      return seeOther(`${listPath(recordType)}?${request.query.toString()}`);
    response.set(downloadHeaders(`${recordType.name}-${today()}`, format));
    // With this mark, a page is read from the database only once the browser has taken the one before.
    return new StreamableFile(
      Readable.from(besideRequests(this.exports.read(recordType, format, query)), { highWaterMark: 1 }),
    );
  }
}
