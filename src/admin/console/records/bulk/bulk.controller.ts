import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import type { FoundRecords, RecordCount } from '../../../records/list-request';
import { readPatch } from '../../../records/record-values';
import { BULK_PIECE, BulkChanges, MAX_BULK } from '../../../records/bulk-changes.service';
import type { BulkOutcome } from '../../../records/record-change';
import { RecordsService } from '../../../records/records.service';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { changeInWords, refusedInWords } from '../record/change-notices';
import { type BulkChange, bulkControls, readBulkChange } from './bulk-change';
import { patchFields } from '../record/record-form';
import { formFaults } from '../../http/form-faults';
import { filterControls, filterWords } from '../list/list-filters';
import { countText } from '../../ui/count-text';
import { CHOSEN, type ListQuery, listQueryText } from '../list/list-query';
import { listColumns, listRows } from '../list/list-table';
import { factsOf } from '../list/list-facts';
import { manyOf, titleOf } from '../../../records/record-names';
import { listPath, undoPath } from '../record-paths';
import { RecordScope } from '../record-scope';
import { valueHtml, valueView } from '../fields/value-html';

/** The form field with the number of records that was shown to the operator. */
const EXPECTED = 'expected-count';

/** Number of records that are shown as a sample of those to be changed. */
const SAMPLE = 5;

/** Count and sample for a filter that cannot be read. */
const NONE: readonly [RecordCount, FoundRecords] = [
  { count: 0, isWhole: true },
  { records: [], lookedTo: undefined },
];

/**
 * Changes many records at once: asks for the new values, then for a confirmation of their number, and changes exactly so many.
 */
@ConsoleController('records')
export class BulkController {
  constructor(
    private readonly records: RecordsService,
    private readonly bulk: BulkChanges,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/bulk')
  ask(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const { recordType, change } = this.read(name, request);
    return this.show(recordType, change, request);
  }

  @Post(':kind/bulk')
  async run(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const { recordType, change: wanted } = this.read(name, request);
    const { query, texts, faults } = wanted;
    if (!recordType.patch || Object.keys(texts).length === 0 || Object.keys(faults).length > 0) {
      return this.show(recordType, wanted, request);
    }
    const expected = Number(request.form.get(EXPECTED) ?? Number.NaN);
    try {
      const outcome = await this.bulk.updateAll(
        recordType,
        query.filter,
        readPatch(recordType.patch, texts),
        expected,
      );
      const { changed, change, stopped, leftAlone } = outcome;
      const isWhole = stopped === undefined && !leftAlone.some(({ because }) => because === 'refused');
      return seeOther(shownList(recordType, query), {
        notice: {
          tone: isWhole ? 'success' : 'warning',
          text: `${countText(recordType, changed)} ${changed === 1 ? 'was' : 'were'} ${changeInWords(recordType, texts)}.${othersInWords(recordType, outcome, expected)}`,
          undo: change === undefined ? undefined : undoPath(recordType, change),
        },
      });
    } catch (error) {
      const { faults: refusals, status } = formFaults(error, []);
      return this.show(recordType, { ...wanted, faults: refusals }, request, status);
    }
  }

  private read(
    name: string,
    request: ConsoleRequest,
  ): { readonly recordType: AdminRecords; readonly change: BulkChange } {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'update');
    return { recordType, change: readBulkChange(factsOf(this.records, recordType), request.query) };
  }

  /** Shows the change. @param refused status of the page if the change was refused */
  private async show(
    recordType: AdminRecords,
    change: BulkChange,
    request: ConsoleRequest,
    refused?: number,
  ): Promise<ConsolePage> {
    const { query, texts, faults } = change;
    const facts = factsOf(this.records, recordType);
    const view = valueView(facts.recordTypes, request);
    const isClear = refused !== undefined || Object.keys(faults).length === 0;
    const [{ count, isWhole }, sample] = isClear
      ? await Promise.all([
          this.records.estimate(recordType, query.filter, MAX_BULK + 1),
          this.records.searchBriefly(recordType, { filter: query.filter, order: query.order, limit: SAMPLE }),
        ])
      : NONE;
    return page('/records/bulk/bulk', {
      title: `Change ${manyOf(recordType)}`,
      trail: [{ title: titleOf(recordType), path: shownList(recordType, query) }],
      status: refused ?? (isClear && request.form.size === 0 ? 200 : 422),
      data: {
        many: manyOf(recordType),
        faults,
        isClear,
        isChosen: Object.keys(texts).length > 0,
        isTooMany: count > MAX_BULK,
        piece: BULK_PIECE,
        limit: MAX_BULK,
        isWhole,
        count,
        countText: `${isWhole ? '' : 'At least '}${countText(recordType, count, MAX_BULK)}`,
        expected: { name: EXPECTED, value: String(count) },
        words: [...filterWords(filterControls(facts, query)), ...chosenWords(query)],
        hidden: Object.entries({ ...(query.filter.ids && { [CHOSEN]: '' }), ...query.texts }).map(
          ([name, value]) => ({ name, value }),
        ),
        path: `${listPath(recordType)}/bulk`,
        address: request.address,
        listPath: shownList(recordType, query),
        controls: bulkControls(recordType, change),
        choices: patchFields(recordType)
          .filter(({ name }) => texts[name] !== undefined)
          .map((field) => ({
            label: field.label,
            value: valueHtml(view, field, texts[field.name] || undefined),
          })),
        columns: listColumns(facts, query),
        rows: listRows(facts, sample.records, view),
      },
    });
  }
}

/** Sentence on the other records: ` 3 pets already had these values.` */
function othersInWords(
  recordType: AdminRecords,
  { changed, leftAlone, stopped }: BulkOutcome,
  expected: number,
): string {
  const others = expected - changed - leftAlone.length;
  const refused = leftAlone.filter(({ because }) => because === 'refused');
  const changedSince = leftAlone.length - refused.length;
  const gone =
    (changedSince > 0 ? ` ${countText(recordType, changedSince)} no longer matched.` : '') +
    refusedInWords(recordType, refused);
  if (stopped !== undefined)
    return `${gone} The change ended early, with ${countText(recordType, others)} not changed: ${stopped}`;
  return gone + (others > 0 ? ` ${countText(recordType, others)} already had these values.` : '');
}

/** The address of the list from which the change was begun. */
function shownList(recordType: AdminRecords, { texts }: ListQuery): string {
  return `${listPath(recordType)}${listQueryText(texts, { [CHOSEN]: undefined })}`;
}

/** The records that were chosen, in words: `Chosen: 3, 7`. */
function chosenWords({ filter: { ids } }: ListQuery): string[] {
  return ids ? [`Chosen: ${ids.join(', ')}`] : [];
}
