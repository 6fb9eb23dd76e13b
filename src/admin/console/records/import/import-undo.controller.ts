import { Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { RecordRefusedError } from '../../../records/records.errors';
import { ImportUndo } from '../../../records/transfer/import-undo.service';
import { ImportUndoJob } from '../../../records/transfer/import-undo-job';
import { ConsoleController } from '../../frame/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { type Notice, seeOther, type SeeOther } from '../../http/page';
import { readReturnPath } from '../../http/return-path';
import { RecordScope } from '../record-scope';

/** Has imports undone in the background, and leads back to the page where the button was. */
@ConsoleController('records')
export class ImportUndoController {
  constructor(
    private readonly imports: ImportUndo,
    private readonly job: ImportUndoJob,
    private readonly scope: RecordScope,
  ) {}

  @Post(':kind/imports/:run/undo')
  async undo(
    @Param('kind') name: string,
    @Param('run') text: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'remove');
    const run = parseDecimalInt64(text);
    if (run === undefined) throw new PageNotFoundError('There is no such import.');
    const notice = await this.attempt(recordType, run);
    return seeOther(readReturnPath(request.form.get('return')), { notice });
  }

  private async attempt(recordType: AdminRecords, run: bigint): Promise<Notice> {
    const asked = await this.request(recordType, run);
    const event = await this.imports.newestEvent(recordType, run);
    return { ...asked, view: event === undefined ? undefined : `/admin/audit/${event}` };
  }

  private async request(recordType: AdminRecords, run: bigint): Promise<Notice> {
    try {
      await this.imports.request(recordType, run);
      await this.job.wake();
      return { tone: 'success', text: 'The import is being undone in the background.' };
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
      return { tone: 'warning', text: error.message };
    }
  }
}
