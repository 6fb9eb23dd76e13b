import { Get, Param, Post } from '@nestjs/common';
import { readSlice } from '../../../platform/database/statements/page';
import type { AdminRecords } from '../../../platform/features/admin-records';
import {
  type ListFacts,
  positionOf,
  type RecordOrder,
  type RecordPosition,
} from '../../records/list-request';
import { REMOVE } from '../../records/record-actions.service';
import { RecordNotFoundError } from '../../records/records.errors';
import { MAX_BULK } from '../../records/bulk-changes.service';
import { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { EXPORT_FORMATS } from '../../records/transfer/formats';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { choiceCookie } from '../http/choice-cookie';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import { countText, MAX_COUNT } from '../ui/count-text';
import { fieldsOf } from '../../records/record-fields';
import { lastListHeaders } from './last-list';
import { chosenColumns, COLUMNS_COOKIE, columnsForm, columnsIn } from './list/list-columns';
import { factsOf } from './list/list-facts';
import { dividedBar, filterControls } from './list/list-filters';
import {
  CHOSEN,
  COLUMNS,
  filterTexts,
  type ListQuery,
  listQueryText,
  PAGE_AFTER,
  PAGE_BEFORE,
  readListQuery,
  SORT_BY,
} from './list/list-query';
import { listColumns, listRows } from './list/list-table';
import { positionCursor, type ReadPosition, recordCursor } from './list/position-cursor';
import { manyOf, titleOf } from '../../records/record-names';
import { actionPath, listPath } from './record-paths';
import { patchFields } from './record/record-form';
import { RecordScope } from './record-scope';
import { offeredReferences, viewWithNames } from './record/related-records';
import { textOf } from '../../records/value-text';
import { SavedViews } from './views/saved-views.service';
import { viewLinks, viewQuery } from './views/view-query';

/** Number of records on one page. */
const PAGE_SIZE = 50;

/** Lists records, by filters and in an order that stand in the address. */
@ConsoleController('records')
export class RecordListController {
  constructor(
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
    private readonly views: SavedViews,
  ) {}

  @Get(':kind')
  async list(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    // A form also sends fields that are empty. Without them, an address that is shared says only what it means.
    if (request.query.values().some((text) => text === '')) return seeOther(withoutEmpty(request));
    const facts = factsOf(this.records, recordType);
    const query = readListQuery(facts, request.query);
    if (Object.keys(query.faults).length > 0) return this.show(facts, query, request);
    try {
      return await this.show(facts, query, request, await readListPage(this.records, recordType, query));
    } catch (error) {
      if (!(error instanceof RecordNotFoundError)) throw error;
      const faults = { '': 'The record that this page of the list begins with no longer exists.' };
      return this.show(facts, { ...query, faults }, request);
    }
  }

  /** Chooses the columns that lists show in this browser. */
  @Post(':kind/columns')
  chooseColumns(@Param('kind') name: string, @CurrentRequest() { form }: ConsoleRequest): SeeOther {
    const facts = factsOf(this.records, this.scope.recordTypeNamed(name));
    const headers = choiceCookie(COLUMNS_COOKIE, columnsIn(facts, form), listPath(facts.recordType));
    return seeOther(readReturnPath(form.get('return')), { headers });
  }

  private async show(
    facts: ListFacts,
    query: ListQuery,
    request: ConsoleRequest,
    found?: ListPage,
  ): Promise<ConsolePage> {
    const { recordType } = facts;
    const actions = this.scope.actionsOf(recordType, request);
    const filters = filterTexts(query.texts);
    const isNarrowed = Object.keys(filters).length > 0;
    const rows = found?.rows ?? [];
    const values = rows.map((record) => record.values);
    const view = await viewWithNames(this.records, request, recordType, values);
    const offered = await offeredReferences(this.records, fieldsOf(recordType.record), query.texts, 0);
    const columns = chosenColumns(facts, query.texts, request);
    const looks = { [SORT_BY]: query.texts[SORT_BY], [COLUMNS]: query.texts[COLUMNS] };
    const clearPath = `${listPath(recordType)}${listQueryText({}, looks)}`;
    return page('/records/list/list', {
      title: titleOf(recordType),
      status: found ? 200 : 422,
      headers: found ? lastListHeaders(recordType, request) : {},
      data: {
        recordType,
        many: manyOf(recordType),
        path: listPath(recordType),
        faults: query.faults,
        filters: dividedBar(facts, filterControls(facts, query, offered), clearPath),
        looks: hiddenFields(looks),
        isNarrowed,
        clearPath,
        columns: listColumns(facts, query, columns),
        rows: listRows(facts, rows, view, columns),
        choice: columnsForm(facts, columns, request),
        views: viewLinks(await this.views.list(recordType, request), recordType, viewQuery(query, columns)),
        found,
        actions,
        exports: EXPORT_FORMATS.map((format) => ({
          title: format === 'spreadsheet' ? 'CSV for spreadsheets' : format.toUpperCase(),
          path: `${listPath(recordType)}/export/${format}${listQueryText(query.texts, { [COLUMNS]: undefined })}`,
        })),
        bulk: actions.update && found ? bulkOf(recordType, query, found) : {},
        removePath:
          actions.remove && query.filter.removed === 'without' ? actionPath(recordType, REMOVE) : undefined,
        moduleActions:
          query.filter.removed === 'without' ? this.scope.moduleActionsOf(recordType, request) : [],
        chosenName: CHOSEN,
        narrowing: hiddenFields({ ...filters, ...looks, [CHOSEN]: undefined }),
      },
    });
  }
}

/** Hidden fields that a form sends along with the visible ones; those without a text are left out. */
function hiddenFields(texts: Readonly<Record<string, string | undefined>>) {
  return Object.entries(texts).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** Possible changes of many records of a list. */
interface BulkOffer {
  /** True if rows can be chosen. */
  readonly isOffered?: boolean;
  /** Address at which all matching records are changed. */
  readonly path?: string;
  /** The reason why not all matching records can be changed. */
  readonly refusal?: string;
}

function bulkOf(
  recordType: AdminRecords,
  { filter, texts }: ListQuery,
  { count, isCounted }: ListPage,
): BulkOffer {
  if (patchFields(recordType).length === 0) return {};
  if (filter.removed !== 'without') return { refusal: `Removed ${manyOf(recordType)} cannot be changed.` };
  if (!isCounted) return { isOffered: true, refusal: 'The count took too long: filter the list.' };
  if (count > MAX_BULK) {
    const limit = MAX_BULK.toLocaleString('en');
    return {
      isOffered: true,
      refusal: `At most ${limit} can be changed at once: filter the list, or choose rows.`,
    };
  }
  return { isOffered: true, path: `${listPath(recordType)}/bulk${listQueryText(filterTexts(texts))}` };
}

function withoutEmpty({ path, query }: ConsoleRequest): string {
  const given = new URLSearchParams([...query].filter(([, text]) => text !== ''));
  return given.size > 0 ? `${path}?${given.toString()}` : path;
}

/** One page of a list, and the addresses of other pages. */
interface ListPage {
  readonly rows: readonly StoredRecord[];
  /** Number of matching records; at most one more than MAX_COUNT, which means more. */
  readonly count: number;
  /** The number of matching records, in words. */
  readonly countText: string;
  readonly first: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** A sentence about the position that the search reached, if it ran out of time. */
  readonly looked: string | undefined;
  /** True if all matching records were counted. */
  readonly isCounted: boolean;
}

/** Reads one page of a list. @throws RecordNotFoundError if the record before the page is gone */
async function readListPage(
  records: RecordsService,
  recordType: AdminRecords,
  query: ListQuery,
): Promise<ListPage> {
  const [read, found] = await Promise.all([
    readRows(records, recordType, query),
    records.estimate(recordType, query.filter, MAX_COUNT + 1),
  ]);
  const { rows, hasPrevious, hasNext, lookedTo } = read;
  const [first, last] = [rows[0], rows.at(-1)];
  const isTurned = query.page?.direction === 'before';
  const reached = lookedTo && positionCursor(lookedTo);
  const before = (isTurned && reached) || (first && recordCursor(first, query.order));
  const after = (!isTurned && reached) || (last && recordCursor(last, query.order));
  const pathWith = (changes: Record<string, string>) =>
    `${listPath(recordType)}${listQueryText(query.texts, changes)}`;
  return {
    rows,
    count: found.count,
    countText: `${found.isWhole ? '' : 'At least '}${countText(recordType, found.count)}`,
    isCounted: found.isWhole,
    looked: lookedTo && lookedText(recordType, query.order, lookedTo),
    first: query.page && pathWith({}),
    previous: hasPrevious && before ? pathWith({ [PAGE_BEFORE]: before }) : undefined,
    next: hasNext && after ? pathWith({ [PAGE_AFTER]: after }) : undefined,
  };
}

async function readRows(records: RecordsService, recordType: AdminRecords, query: ListQuery) {
  const { filter, order, page: from } = query;
  const after = from && (await positionIn(records, recordType, order, from.position));
  const isTurned = from?.direction === 'before';
  let lookedTo: RecordPosition | undefined;
  const slice = await readSlice(PAGE_SIZE, async (limit) => {
    const found = await records.searchBriefly(recordType, {
      filter,
      order: { ...order, descending: order.descending !== isTurned, nullsFirst: isTurned },
      after,
      limit,
    });
    lookedTo = found.lookedTo;
    return found.records;
  });
  const { items } = slice;
  const hasMore = slice.hasMore || lookedTo !== undefined;
  return isTurned
    ? { rows: items.toReversed(), hasPrevious: hasMore, hasNext: true, lookedTo }
    : { rows: items, hasPrevious: from !== undefined, hasNext: hasMore, lookedTo };
}

/**
 * A sentence about the position that the search reached: `Searched as far as pet 123,456`; in an order other than that of the ids
 * with the value there.
 */
function lookedText(recordType: AdminRecords, { by }: RecordOrder, { id, value }: RecordPosition): string {
  const field = fieldsOf(recordType.record).find(({ name }) => name === by);
  const label = by === 'createdAt' ? 'Created' : (field?.label ?? by);
  const at = by === 'id' ? '' : `, ${label} ${value === null ? 'not set' : textOf(value)}`;
  return `Searched as far as ${recordType.one} ${id}${at}. Continue for the rest.`;
}

async function positionIn(
  records: RecordsService,
  recordType: AdminRecords,
  order: RecordOrder,
  position: ReadPosition,
): Promise<RecordPosition> {
  return 'value' in position ? position : positionOf(await records.get(recordType, position.id), order);
}
