import { Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { RecordChangedError, RecordRefusedError } from '../../../records/records.errors';
import { RecordsService } from '../../../records/records.service';
import { type UndoOutcome, UndoService } from '../../../records/undo.service';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { type Notice, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { readReturnPath } from '../../http/return-path';
import { countText } from '../../ui/count-text';
import { lastList } from '../last-list';
import { idsInWords, refusedInWords, wasOrWere } from './change-notices';
import { listPath, undoPath } from '../record-paths';
import { RecordScope } from '../record-scope';

/** Undoes a change, and leads back to the page where the button was. */
@ConsoleController('records')
export class UndoController {
  constructor(
    private readonly undoing: UndoService,
    private readonly records: RecordsService,
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
    const notice = await this.attempt(recordType, id);
    return seeOther(await this.pageToReturnTo(recordType, request), { notice });
  }

  private async attempt(recordType: AdminRecords, change: bigint): Promise<Notice> {
    try {
      return noticeOf(recordType, change, await this.undoing.undo(recordType, change));
    } catch (error) {
      if (!(error instanceof RecordChangedError || error instanceof RecordRefusedError)) throw error;
      return { tone: 'warning', text: error.message, view: eventPath(change) };
    }
  }

  /** The page where the button was; the list, if that was the page of a record that is now gone. */
  private async pageToReturnTo(recordType: AdminRecords, request: ConsoleRequest): Promise<string> {
    const path = readReturnPath(request.form.get('return'));
    const [, id] = new RegExp(`^${listPath(recordType)}/(\\d+)(?:[/?]|$)`).exec(path) ?? [];
    if (id === undefined || (await this.records.existing(recordType, [id])).has(id)) return path;
    return lastList(recordType, request).path;
  }
}

/** The page about an event of the audit log. */
function eventPath(id: bigint): string {
  return `/admin/audit/${id}`;
}

/** @param undone the change that was to be undone */
function noticeOf(recordType: AdminRecords, undone: bigint, outcome: UndoOutcome): Notice {
  const { undone: count, leftAlone, change, stopped } = outcome;
  const links = {
    view: eventPath(change ?? undone),
    redo: change === undefined ? undefined : undoPath(recordType, change),
  };
  if (stopped !== undefined) {
    const text = `The undo ended early, after ${countText(recordType, count)}: ${stopped}`;
    return { tone: 'warning', text, ...links };
  }
  if (count === 1 && leftAlone.length === 0) return { tone: 'success', text: 'Undone.', ...links };
  const text = count === 0 ? 'Nothing was undone.' : `Undone for ${countText(recordType, count)}.`;
  if (leftAlone.length === 0) return { tone: 'success', text, ...links };
  const refused = leftAlone.filter(({ because }) => because === 'refused');
  const changed = leftAlone.filter(({ because }) => because !== 'refused');
  const left =
    changed.length > 0
      ? ` ${countText(recordType, changed.length)} changed or removed since ${wasOrWere(changed)} left alone: ${idsInWords(changed)}.`
      : '';
  return { tone: 'warning', text: text + left + refusedInWords(recordType, refused), ...links };
}
