import { Get, Param, Post } from '@nestjs/common';
import type { AdminAction } from '../../../../platform/features/admin-action';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { RecordActionsService, REMOVE } from '../../../records/record-actions.service';
import { RecordNotFoundError } from '../../../records/records.errors';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../../http/console-request';
import { PageNotFoundError } from '../../console.errors';
import { type FormFaults, formFaults } from '../../http/form-faults';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { OneTimeForms } from '../../sessions/one-time-forms';
import { countText } from '../../ui/count-text';
import { ChangeNotices } from './change-notices';
import { lastList } from '../last-list';
import { CHOSEN, readListQuery } from '../list/list-query';
import { listColumns, listRows } from '../list/list-table';
import { VERSION } from './record-form';
import { manyOf } from '../../../records/record-names';
import { recordPath } from '../record-paths';
import { RecordScope } from '../record-scope';
import { recordTitle } from '../../../records/record-title';
import { viewWithNames } from './related-records';

/**
 * Removes one or many records, and runs the actions that a module offers for them: asks for confirmation, then acts on the records that were
 * shown.
 */
@ConsoleController('records')
export class RecordActionsController {
  constructor(
    private readonly records: RecordsService,
    private readonly actions: RecordActionsService,
    private readonly scope: RecordScope,
    private readonly changes: ChangeNotices,
    private readonly forms: OneTimeForms,
  ) {}

  @Get(':kind/actions/:action')
  ask(
    @Param('kind') name: string,
    @Param('action') actionName: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const recordType = this.scope.recordTypeNamed(name);
    const action = this.scope.actionNamed(recordType, request, actionName);
    return this.question(recordType, actionName, action, request);
  }

  @Post(':kind/actions/:action')
  async run(
    @Param('kind') name: string,
    @Param('action') actionName: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    const action = this.scope.actionNamed(recordType, request, actionName);
    const ids = chosenIn(recordType, request);
    const versions = request.form.get(VERSION)?.split(' ') ?? [];
    // A record without its version counts as changed.
    const targets = ids.map((id, i) => ({ id, version: versions[i] ?? '' }));
    try {
      const { change } = await this.forms.runOnce(request.form, () =>
        this.actions.run(recordType, actionName, targets),
      );
      const [id] = ids;
      const isOne = ids.length === 1 && id !== undefined;
      const text = isOne
        ? `The ${recordType.one} ${id} was ${action.done}.`
        : `${countText(recordType, ids.length)} were ${action.done}.`;
      const isGone = actionName === REMOVE;
      return seeOther(isOne && !isGone ? recordPath(recordType, id) : lastList(recordType, request).path, {
        notice: this.changes.noticeOfAction(recordType, actionName, change, text, request),
      });
    } catch (error) {
      return this.question(recordType, actionName, action, request, formFaults(error));
    }
  }

  private async question(
    recordType: AdminRecords,
    name: string,
    { title, description }: AdminAction,
    request: ConsoleRequest,
    refused?: FormFaults,
  ): Promise<ConsolePage> {
    const ids = chosenIn(recordType, request);
    const found = await this.records.search(recordType, { filter: { ids }, limit: ids.length });
    const [only] = found;
    const missing = ids.find((id) => !found.some(({ values }) => values.id === id));
    if (!only || missing !== undefined) throw new RecordNotFoundError(recordType.one, missing ?? 0n);
    const facts = this.records.listFacts(recordType);
    const view = await viewWithNames(
      this.records,
      request,
      recordType,
      found.map(({ values }) => values),
    );
    const isOne = found.length === 1;
    const trail = [lastList(recordType, request), ...(isOne ? [crumbOf(recordType, only)] : [])];
    return page('/records/record/action', {
      title: `${title} ${isOne ? recordTitle(recordType, only) : countText(recordType, found.length)}?`,
      trail,
      status: refused?.status ?? 200,
      data: {
        faults: refused ? { '': Object.values(refused.faults).join(' ') } : {},
        description,
        isUndoable: this.changes.isUndoable(recordType, name),
        button: `${title} ${isOne ? recordType.one : countText(recordType, found.length)}`,
        version: { name: VERSION, value: found.map(({ version }) => version).join(' ') },
        back: trail.at(-1)?.path,
        columns: listColumns(facts, readListQuery(facts, new URLSearchParams())).map((column) => ({
          ...column,
          sort: undefined,
        })),
        rows: listRows(facts, found, view),
      },
    });
  }
}

function crumbOf(recordType: AdminRecords, record: StoredRecord) {
  return { title: recordTitle(recordType, record), path: recordPath(recordType, record.values.id) };
}

/**
 * Reads the ids in the address, ascending; a list sends one parameter for each row, and commas may separate several in one.
 * @throws PageNotFoundError without any, or if a text is not an id
 */
function chosenIn(recordType: AdminRecords, { query }: ConsoleRequest): bigint[] {
  const texts = query
    .getAll(CHOSEN)
    .flatMap((text) => text.split(','))
    .filter(Boolean);
  const ids = texts.map(parseDecimalInt64).filter((id) => id !== undefined);
  if (texts.length === 0)
    throw new PageNotFoundError(`No ${manyOf(recordType)} are chosen: tick some in the list first.`);
  if (ids.length < texts.length)
    throw new PageNotFoundError('The address of this page contains an invalid id.');
  return [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1));
}
