import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { RecordRefusedError } from '../../../records/records.errors';
import { RecordsService } from '../../../records/records.service';
import { ImportLedger } from '../../../records/transfer/import-ledger.repository';
import { ImportUndo } from '../../../records/transfer/import-undo.service';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import {
  type ConsolePage,
  type Notice,
  page,
  seeOther,
  type SeeOther,
} from '../../../../platform/features/console-page';
import { readReturnPath } from '../../http/return-path';
import { countText } from '../../ui/count-text';
import { lastList } from '../last-list';
import { importUndoPath } from '../record-paths';
import { RecordScope } from '../record-scope';

/** Starts the undoing of imports in the background, and leads back to the page where the button was. */
@ConsoleController('records')
export class ImportUndoController {
  constructor(
    private readonly imports: ImportUndo,
    private readonly ledger: ImportLedger,
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/imports/:run/undo')
  async ask(
    @Param('kind') name: string,
    @Param('run') text: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const { recordType, run } = await this.importNamed(name, text, request);
    const isKept = this.records.actionsOf(recordType).restore;
    return page('/records/import/undo', {
      title: `Undo import ${run.id}?`,
      trail: [lastList(recordType, request)],
      data: {
        path: importUndoPath(recordType, run.id),
        backPath: (await this.entryPath(recordType, run.id)) ?? lastList(recordType, request).path,
        isKept,
        text: `This removes what the import added${isKept ? '' : ' for good'}. Records that were changed since are left alone.`,
        file: run.fileName,
        added: countText(recordType, Number(run.imported), Infinity),
      },
    });
  }

  @Post(':kind/imports/:run/undo')
  async undo(
    @Param('kind') name: string,
    @Param('run') text: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const { recordType, run } = await this.importNamed(name, text, request);
    const asked = await this.request(recordType, run.id);
    const notice = { ...asked, view: await this.entryPath(recordType, run.id) };
    return seeOther(readReturnPath(request.form.get('return')), { notice });
  }

  private async importNamed(name: string, text: string, request: ConsoleRequest) {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'remove');
    const id = parseDecimalInt64(text);
    const run = id === undefined ? undefined : await this.ledger.find(recordType, id);
    if (!run) throw new PageNotFoundError('There is no such import.');
    return { recordType, run };
  }

  private async entryPath(recordType: AdminRecords, run: bigint): Promise<string | undefined> {
    const event = await this.imports.entry(recordType, run);
    return event === undefined ? undefined : `/admin/audit/${event}`;
  }

  private async request(recordType: AdminRecords, run: bigint): Promise<Notice> {
    try {
      await this.imports.request(recordType, run);
      return { tone: 'success', text: 'The import is being undone in the background.' };
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
      return { tone: 'warning', text: error.message };
    }
  }
}
