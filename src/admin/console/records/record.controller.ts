import { Get, Param, Post } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { positionText, readPosition, viewEntry } from '../../records/history-view';
import { fieldsOf } from '../../records/record-fields';
import type { HistoryEntry } from '../../records/record-history.service';
import { RecordRefusedError } from '../../records/records.errors';
import { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { ConsoleController } from '../console-controller.decorator';
import { PageNotFoundError } from '../console.errors';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { PanelsService } from '../panels/panels.service';
import { CurrentRequest, type ConsoleRequest } from '../console-request';
import { bulkFields } from './bulk-change';
import { ChangeNotices } from './change-notices';
import { recordTitle } from './record-title';
import { lastList } from './last-list';
import { CHOSEN } from './list-query';
import { changesOf, type FieldChange } from './record-changes';
import { WAS } from './record-form';
import { recordPath } from './record-paths';
import { RecordScope } from './record-scope';
import { relatedRecords, viewWithNames } from './related-records';
import { textOf } from './value-text';
import { choiceInWords, factHtml, type ValueView, valueView } from './value-html';
import { valueInWords } from '../ui/text';

/** Entries on one page of the history. */
const HISTORY_LENGTH = 10;

/** The parameter that says where this page of the history begins. */
const HISTORY_BEFORE = 'history-before';

/** One record: what it is, what became of it, and what can be done with it. */
@ConsoleController('records')
export class RecordController {
  constructor(
    private readonly records: RecordsService,
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
  ): Promise<Page> {
    const kind = this.scope.kindNamed(name);
    const record = await this.scope.recordWithId(kind, id);
    const history = await this.history(kind, record, request);
    const isRemoved = record.removedAt !== undefined;
    const actions = this.scope.actionsOf(kind, request);
    const view = await viewWithNames(this.records, request, kind, [record.values]);
    return page('/records/record', {
      title: recordTitle(kind, record),
      trail: [lastList(kind, request)],
      data: {
        kind,
        record,
        isDated: this.records.listFacts(kind).isDated,
        path: recordPath(kind, record.values.id),
        facts: fieldsOf(kind.record).map((field) => ({
          label: field.label,
          value: factHtml(view, field, record.values[field.name]),
        })),
        can: {
          update: actions.update && !isRemoved,
          remove: actions.remove && !isRemoved,
          restore: actions.restore && isRemoved,
        },
        moduleActions: isRemoved ? [] : this.moduleActions(kind, record, request),
        panels: await this.panels.ofRecord(kind, record.values.id, request),
        quickFields: actions.update && !isRemoved ? quickFields(kind, record) : [],
        history,
        related: await relatedRecords(this.records, request, kind, record.values.id),
      },
    });
  }

  @Post(':kind/:id/restore')
  async restore(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const kind = this.scope.kindNamed(name);
    this.scope.requireAction(kind, request, 'restore');
    const record = await this.scope.recordWithId(kind, id);
    const path = recordPath(kind, record.values.id);
    try {
      await this.records.restore(kind, record.values.id);
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
      return seeOther(path, { notice: { tone: 'warning', text: error.message } });
    }
    const { id: recordId } = record.values;
    return seeOther(path, {
      notice: await this.changes.notice(kind, recordId, `The ${kind.one} ${recordId} is back.`),
    });
  }

  /** The module's actions that make sense for a record. */
  private moduleActions(kind: AdminRecords, { values }: StoredRecord, request: ConsoleRequest) {
    return this.scope
      .moduleActionsOf(kind, request)
      .filter(({ action }) => action.appliesTo?.(values) ?? true)
      .map(({ action: { title }, path }) => ({ title, path: `${path}?${CHOSEN}=${values.id}` }));
  }

  private async history(kind: AdminRecords, { values: { id } }: StoredRecord, request: ConsoleRequest) {
    const { query, path } = request;
    const view = valueView(this.records.kinds, request);
    const text = query.get(HISTORY_BEFORE);
    const from = text === null ? undefined : readPosition(text);
    if (text !== null && !from) throw new PageNotFoundError('There is no such stretch of the history.');
    const { entries, next, unknown } = await this.records.history(kind, id, HISTORY_LENGTH, from);
    const shown = entries.map((entry) => shownEntry(view, kind, entry));
    return {
      keys: await this.keys.byId(shown.map(({ actor }) => actor)),
      entries: shown,
      unknown,
      newest: from && `${path}#history`,
      older: next && `${path}?${HISTORY_BEFORE}=${positionText(next)}#history`,
    };
  }
}

/** The fields that one click changes, and what to. */
function quickFields(kind: AdminRecords, { values }: StoredRecord) {
  return bulkFields(kind).map((field) => ({
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

/** What the verbs of actions are called in a history. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'Added',
  import: 'Imported',
  update: 'Changed',
  remove: 'Removed',
  restore: 'Restored',
};

/** One entry of the history of a record as its page shows it. */
interface ShownEntry {
  /** The page about it: about the event of an operator, or the request of a client. */
  readonly path: string;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string | null;
  /** What was done, in a word. */
  readonly title: string;
  /** The operation that a client called; null when an operator did it. */
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** What was changed of a record that was there before and after. */
  readonly changes: readonly FieldChange[];
  /** What a record that was added began with. */
  readonly values: readonly FieldChange[];
}

/** What an entry of a history says of a record of its kind. */
function shownEntry(view: ValueView, kind: AdminRecords, entry: HistoryEntry): ShownEntry {
  const { event } = entry;
  const { at, actor, actorName, action, operation, requestId, address } = viewEntry(entry);
  const verb = action.slice(action.indexOf('.') + 1);
  const changes = event ? changesOf(view, kind, event) : [];
  return {
    path: event
      ? `/admin/audit/${event.id}`
      : `/admin/requests?request=${encodeURIComponent(requestId ?? '')}`,
    at,
    actor,
    actorName,
    title: VERBS[verb] ?? valueInWords(kind.actions?.[verb]?.done ?? verb),
    operation,
    requestId,
    address,
    // All that a record was or is says less than that it was removed or is back.
    changes: event && event.before !== null && event.after !== null ? changes : [],
    // What an import recorded is of its batch.
    values: event?.before === null && verb !== 'restore' && verb !== 'import' ? changes : [],
  };
}
