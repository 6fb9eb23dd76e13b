import { Get, Param } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { readSlice } from '../../../platform/database/statements/page';
import { type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import { type Html, html } from '../../../platform/html/html';
import { exactJson } from '../../../platform/values/exact-json';
import { AUDIT_FILTERS, auditFilter } from '../../audit/audit-filters';
import {
  actionInWords,
  type AuditEntry,
  AuditTrailService,
  changedMembers,
} from '../../audit/audit-trail.service';
import { actionOfEach, bulkSummary, importSummary } from '../../audit/bulk-changes';
import { fieldNamed, fieldsOf, inWords, type RecordField } from '../../records/record-fields';
import { UndoService } from '../../records/undo.service';
import { ImportEntries } from './import-entries';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { PageNotFoundError } from '../console.errors';
import { readFilterQuery } from '../http/filter-query';
import { ConsoleNavigation } from '../frame/navigation';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { undoPath } from '../records/record-paths';
import { valueHtml, type ValueView, valueView } from '../records/fields/value-html';
import { readRowId } from '../http/row-id';
import { countText } from '../ui/count-text';
import { filterBarOf } from '../ui/filter-bar';
import { nothing } from '../ui/text';

/** The list of events, which is the page above that of one event. */
export const AUDIT = { title: 'Audit', path: '/admin/audit' } as const;

/** Number of events on one page. */
const PAGE_SIZE = 50;
/** Number of changed members that a row of the list shows. */
const SHOWN_CHANGES = 3;

/** The pages of the audit log. */
@ConsoleController('audit')
export class AuditController {
  constructor(
    private readonly trail: AuditTrailService,
    private readonly keys: ApiKeysService,
    private readonly navigation: ConsoleNavigation,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
    private readonly undoing: UndoService,
    private readonly imports: ImportEntries,
  ) {}

  @Get()
  async list(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const query = readFilterQuery(AUDIT_FILTERS, request.query);
    const before = readRowId(request.query.get('before') ?? '');
    const filter = auditFilter(query.values);
    const { items: found, lookedBackTo } = await this.trail.searchBriefly(filter, {
      before,
      limit: PAGE_SIZE + 1,
    });
    const items = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? items.at(-1)?.id : lookedBackTo?.id;
    const data = {
      lookedBackTo: lookedBackTo?.at,
      ...(await this.table(items, request, await this.trail.undoneBy(items))),
      filters: filterBarOf(AUDIT_FILTERS, query, request, await this.suggestions()),
      first: before === undefined ? undefined : request.addressWith({ before: undefined }),
      next: last === undefined ? undefined : request.addressWith({ before: String(last) }),
    };
    return page('/audit/list', { title: AUDIT.title, data });
  }

  @Get(':id')
  async show(@Param('id') text: string, @CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const id = readRowId(text);
    const event = id === undefined ? undefined : await this.trail.find(id);
    if (!event) throw new PageNotFoundError('There is no such event.');
    const view = valueView(this.recordTypes, request);
    const bulk = shownBulk(view, event);
    const imported = await this.imports.read(event, request);
    const data = {
      event: { ...event, bulk },
      imported,
      records: bulkSummary(event) && (await this.recordsOf(event, request)),
      fields: shownFields(view, event),
      keys: await this.keys.byId([event.actor]),
      path: (await this.navigation.pagesOf([event], request)).get(event),
      undo: imported?.undoPath ?? this.undoPathOf(event, request),
    };
    return page('/audit/show', {
      title: actionInWords(event, (await this.trail.undoneBy([event])).get(event.id)),
      trail: [AUDIT],
      data,
    });
  }

  /** Reads one page of the changes of a bulk change's records. */
  private async recordsOf(bulk: AuditEntry, request: ConsoleRequest) {
    const before = readRowId(request.query.get('before') ?? '');
    const { items, hasMore } = await readSlice(PAGE_SIZE, (limit) =>
      this.trail.list({ whole: bulk.whole ?? bulk.id, action: actionOfEach(bulk) }, { before, limit }),
    );
    const last = hasMore ? items.at(-1)?.id : undefined;
    return {
      ...(await this.table(items, request)),
      first: before === undefined ? undefined : request.addressWith({ before: undefined }),
      next: last === undefined ? undefined : request.addressWith({ before: String(last) }),
    };
  }

  /** Data for the table of events on a page. */
  private async table(
    entries: readonly AuditEntry[],
    request: ConsoleRequest,
    undone: ReadonlyMap<bigint, string> = new Map(),
  ) {
    const view = valueView(this.recordTypes, request);
    const events = entries.map((event) => ({
      ...event,
      title: actionInWords(event, undone.get(event.id)),
      changes: shownFields(view, event).filter(({ isChanged }) => isChanged),
      bulk: shownBulk(view, event),
      // Within the list, the other filters stay in force.
      actionPath:
        request.path === AUDIT.path
          ? request.addressWith({ action: event.action, before: undefined })
          : `${AUDIT.path}?${new URLSearchParams({ action: event.action }).toString()}`,
    }));
    return {
      events,
      keys: await this.keys.byId(events.map(({ actor }) => actor)),
      pages: await this.navigation.pagesOf(events, request),
      shownChanges: SHOWN_CHANGES,
    };
  }

  /** The address at which the operator may undo a change; undefined if that is not possible or not allowed. */
  private undoPathOf(event: AuditEntry, request: ConsoleRequest): string | undefined {
    const recordType = this.recordTypes.find(({ name }) => name === event.subjectType);
    const isOffered =
      recordType && request.mayChange(changeScope(recordType)) && this.undoing.isOffered(recordType, event);
    return isOffered ? undoPath(recordType, event.id) : undefined;
  }

  /** Values to choose from, by filter; keys are shown by their names. */
  private async suggestions() {
    const { actors, actions, subjectTypes } = await this.trail.choices();
    const keys = await this.keys.byId(actors);
    const named = actors.map((actor) => ({ value: actor, label: keys.get(actor)?.name ?? actor }));
    const option = (value: string) => ({ value, label: value });
    return { actor: named, action: actions.map(option), subject: subjectTypes.map(option) };
  }
}

/** A field of the subject of an event, as the page shows it. */
interface ShownField {
  readonly label: string;
  readonly isChanged: boolean;
  readonly before: Html;
  readonly after: Html;
}

/** Form of a recorded time: ISO 8601 in UTC. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The fields of an event's subject: changed ones first, then the others. */
function shownFields(view: ValueView, event: AuditEntry): ShownField[] {
  const recordType = view.recordTypes.find(({ name }) => name === event.subjectType);
  const fields = new Map(recordType ? fieldsOf(recordType.record).map((field) => [field.name, field]) : []);
  const changes = changedMembers(event).map((change) => ({ ...change, isChanged: true }));
  const changed = new Set(changes.map(({ member }) => member));
  const same = Object.entries(event.after ?? {})
    .filter(([member]) => !changed.has(member))
    .map(([member, value]) => ({ member, before: value, after: value, isChanged: false }));
  return [...changes, ...same].map(({ member, before, after, isChanged }) => {
    const field = fields.get(member);
    const shown = (value: unknown) => shownValue(view, field, value);
    return { label: field?.label ?? inWords(member), isChanged, before: shown(before), after: shown(after) };
  });
}

/** A bulk change or an import, as the page shows it. */
interface ShownBulk {
  /** Number and type of the records: `75 pets`. */
  readonly countText: string;
  /** The values that the fields were set to; the file of an import. */
  readonly set: readonly { readonly label: string; readonly value: Html }[];
}

/** Reads the summary in the event of a bulk change or an import; returns undefined for any other event. */
function shownBulk(view: ValueView, event: AuditEntry): ShownBulk | undefined {
  const { subjectType } = event;
  const recordType = view.recordTypes.find(({ name }) => name === subjectType);
  const named = recordType ?? { name: subjectType, one: subjectType };
  const imported = importSummary(event);
  if (imported) {
    const set = [{ label: 'File', value: html`${imported.file}` }];
    return { countText: countText(named, imported.imported, Infinity), set };
  }
  const bulk = bulkSummary(event);
  if (!bulk) return undefined;
  const set = Object.entries(bulk.set).map(([member, value]) => {
    const field = recordType && fieldNamed(recordType.record, member);
    return { label: field?.label ?? inWords(member), value: shownValue(view, field, value) };
  });
  return { countText: countText(named, bulk.changed, Infinity), set };
}

function shownValue(view: ValueView, field: RecordField | undefined, value: unknown): Html {
  if (value === undefined || value === null) return nothing('nothing');
  if (Array.isArray(value) && value.length === 0) return nothing('an empty list');
  if (field) return valueHtml(view, field, value);
  if (typeof value === 'string') return INSTANT.test(value) ? view.time(value) : html`${value}`;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return html`${value.join(', ')}`;
  return html`${exactJson(value)}`;
}
