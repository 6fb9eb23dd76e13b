import { Get, Param, Post } from '@nestjs/common';
import { ApiKeysService } from '../../../../auth/api-keys.service';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { positionText, readHistoryPosition, viewEntry } from '../../../records/history/history-view';
import { fieldsOf } from '../../../records/record-fields';
import { type HistoryEntry, RecordHistory } from '../../../records/history/record-history.service';
import { RecordRefusedError } from '../../../records/records.errors';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { PageNotFoundError } from '../../console.errors';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { PanelsService } from '../../frame/panels/panels.service';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { ChangeNotices } from './change-notices';
import { recordTitle } from '../../../records/record-title';
import { lastList } from '../last-list';
import { CHOSEN } from '../list/list-query';
import { changesOf, type FieldChange } from './record-changes';
import { quickFields, WAS } from './record-form';
import { recordPath } from '../record-paths';
import { RecordScope } from '../record-scope';
import { relatedRecords, viewWithNames } from './related-records';
import { choiceInWords, textOf, valueInWords } from '../../../records/value-text';
import { factHtml, type ValueView, valueView } from '../fields/value-html';

/** Number of entries on one page of the history. */
const HISTORY_LENGTH = 10;

/** Parameter with the position at which this page of the history begins. */
const HISTORY_BEFORE = 'history-before';

/** Shows one record: its values, its history and the actions on it. */
@ConsoleController('records')
export class RecordController {
  constructor(
    private readonly records: RecordsService,
    private readonly histories: RecordHistory,
    private readonly scope: RecordScope,
    private readonly keys: ApiKeysService,
    private readonly changes: ChangeNotices,
    private readonly panels: PanelsService,
  ) {}

  @Get(':kind/:id')
  async show(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const recordType = this.scope.recordTypeNamed(name);
    const record = await this.scope.recordWithId(recordType, id);
    const history = await this.history(recordType, record, request);
    const isRemoved = record.removedAt !== undefined;
    const actions = this.scope.actionsOf(recordType, request);
    const view = await viewWithNames(this.records, request, recordType, [record.values]);
    return page('/records/record/record', {
      title: recordTitle(recordType, record),
      trail: [lastList(recordType, request)],
      data: {
        recordType,
        record,
        isDated: this.records.listFacts(recordType).isDated,
        path: recordPath(recordType, record.values.id),
        facts: fieldsOf(recordType.record).map((field) => ({
          label: field.label,
          value: factHtml(view, field, record.values[field.name]),
        })),
        can: {
          update: actions.update && !isRemoved,
          remove: actions.remove && !isRemoved,
          restore: actions.restore && isRemoved,
        },
        moduleActions: isRemoved ? [] : this.moduleActions(recordType, record, request),
        panels: await this.panels.ofRecord(recordType, record.values.id, request),
        quickFields: actions.update && !isRemoved ? quickChoices(recordType, record) : [],
        history,
        related: await relatedRecords(this.records, request, recordType, record.values.id),
      },
    });
  }

  @Post(':kind/:id/restore')
  async restore(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'restore');
    const record = await this.scope.recordWithId(recordType, id);
    const path = recordPath(recordType, record.values.id);
    try {
      await this.records.restore(recordType, record.values.id);
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
      return seeOther(path, { notice: { tone: 'warning', text: error.message } });
    }
    const { id: recordId } = record.values;
    return seeOther(path, {
      notice: await this.changes.notice(recordType, recordId, `The ${recordType.one} ${recordId} is back.`),
    });
  }

  /** The module's actions that apply to a record. */
  private moduleActions(recordType: AdminRecords, { values }: StoredRecord, request: ConsoleRequest) {
    return this.scope
      .moduleActionsOf(recordType, request)
      .filter(({ action }) => action.appliesTo?.(values) ?? true)
      .map(({ action: { title }, path }) => ({ title, path: `${path}?${CHOSEN}=${values.id}` }));
  }

  private async history(recordType: AdminRecords, { values: { id } }: StoredRecord, request: ConsoleRequest) {
    const { query, path } = request;
    const view = valueView(this.records.recordTypes, request);
    const text = query.get(HISTORY_BEFORE);
    const from = text === null ? undefined : readHistoryPosition(text);
    if (text !== null && !from) throw new PageNotFoundError('This page of the history does not exist.');
    const { entries, next, unknown } = await this.histories.list(recordType, id, HISTORY_LENGTH, from);
    const shown = entries.map((entry) => shownEntry(view, recordType, entry));
    return {
      keys: await this.keys.byId(shown.map(({ actor }) => actor)),
      entries: shown,
      unknown,
      newest: from && `${path}#history`,
      older: next && `${path}?${HISTORY_BEFORE}=${positionText(next)}#history`,
    };
  }
}

/** The fields that one click changes, with their choices. */
function quickChoices(recordType: AdminRecords, { values }: StoredRecord) {
  return quickFields(recordType).map((field) => ({
    name: field.name,
    label: field.label,
    wasName: WAS + field.name,
    was: textOf(values[field.name]),
    choices: field.values.map((value) => ({
      value,
      label: choiceInWords(field, value),
      isCurrent: values[field.name] === value,
    })),
  }));
}

/** Words for the verbs of actions in a history. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'Added',
  import: 'Imported',
  update: 'Changed',
  remove: 'Removed',
  restore: 'Restored',
};

/** One entry of a record's history, as its page shows it. */
interface ShownEntry {
  /** The page about the event of an operator, or about the request of a client. */
  readonly path: string;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string | null;
  /** The action in a word. */
  readonly title: string;
  /** What was done to the record by the undo of an import, or of a change of many records. */
  readonly undo: string | undefined;
  /** The operation that a client called; null for an action of an operator. */
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** The changes of a record that existed before and after. */
  readonly changes: readonly FieldChange[];
  /** The first values of a record that was added. */
  readonly values: readonly FieldChange[];
}

/** Prepares one entry of a record's history for its page. */
function shownEntry(view: ValueView, recordType: AdminRecords, entry: HistoryEntry): ShownEntry {
  const { event, undone } = entry;
  const { at, actor, actorName, action, operation, requestId, address } = viewEntry(entry);
  const verb = action.slice(action.indexOf('.') + 1);
  const changes = event ? changesOf(view, recordType, event) : [];
  const done = VERBS[verb] ?? valueInWords(recordType.actions?.[verb]?.done ?? verb);
  return {
    path: event
      ? `/admin/audit/${event.id}`
      : `/admin/requests?request=${encodeURIComponent(requestId ?? '')}`,
    at,
    actor,
    actorName,
    title: undone === undefined ? done : 'Undone',
    undo: undone === undefined ? undefined : `${done} by the undo of ${undone}.`,
    operation,
    requestId,
    address,
    // That a record was removed or restored is said by the title; listing all of its values would add nothing.
    changes: event && event.before !== null && event.after !== null ? changes : [],
    // The event of an import is about its batch, not about this record.
    values: event?.before === null && verb !== 'restore' && verb !== 'import' ? changes : [],
  };
}
