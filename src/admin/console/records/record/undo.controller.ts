import { Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { RecordChangedError, RecordRefusedError } from '../../../records/records.errors';
import { type UndoOutcome, UndoService } from '../../../records/undo.service';
import { ConsoleController } from '../../frame/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { type Notice, seeOther, type SeeOther } from '../../http/page';
import { countText } from '../../ui/count-text';
import { undoPath } from '../record-paths';
import { RecordScope } from '../record-scope';

/** Number of ids that a notice names. */
const NAMED = 20;

/** Undoes a change, and leads to the page of the change that this makes. */
@ConsoleController('records')
export class UndoController {
  constructor(
    private readonly undoing: UndoService,
    private readonly scope: RecordScope,
  ) {}

  @Post(':kind/changes/:id/undo')
  async undo(
    @Param('kind') name: string,
    @Param('id') text: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireChanges(recordType, request);
    const id = parseDecimalInt64(text);
    if (id === undefined) throw new PageNotFoundError('There is no such change.');
    try {
      const outcome = await this.undoing.undo(recordType, id);
      return seeOther(`/admin/audit/${outcome.change ?? id}`, { notice: noticeOf(recordType, outcome) });
    } catch (error) {
      if (!(error instanceof RecordChangedError || error instanceof RecordRefusedError)) throw error;
      return seeOther(`/admin/audit/${id}`, { notice: { tone: 'warning', text: error.message } });
    }
  }
}

function noticeOf(recordType: AdminRecords, { undone, leftAlone, change }: UndoOutcome): Notice {
  const text = `${countText(recordType, undone)} ${undone === 1 ? 'is' : 'are'} as before the change.`;
  const undo = change === undefined ? undefined : undoPath(recordType, change);
  if (leftAlone.length === 0) return { tone: 'success', text, undo };
  const ids = leftAlone.slice(0, NAMED).map((each) => each.id);
  const more = leftAlone.length > NAMED ? ` and ${leftAlone.length - NAMED} more` : '';
  const left = `${countText(recordType, leftAlone.length)} changed or removed since ${leftAlone.length === 1 ? 'was' : 'were'} left alone: ${ids.join(', ')}${more}.`;
  return { tone: 'warning', text: `${text} ${left}`, undo };
}
