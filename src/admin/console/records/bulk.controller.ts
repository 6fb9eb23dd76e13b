import { Get, Param, Post } from '@nestjs/common';
import { readPatch } from '../../records/record-values';
import { InvalidRecord, RecordsRefusal } from '../../records/records.errors';
import { MAX_BULK, RecordsService } from '../../records/records.service';
import { ConsoleController } from '../console-controller.decorator';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { CurrentVisit, type Visit } from '../visit';
import { bulkFields, bulkTexts, SET, withoutSettings } from './bulk-change';
import { fieldControl, faultTexts } from './field-control';
import { formFaults } from './form-faults';
import { filterControls, filterWords } from './list-filters';
import { countText } from './list-page';
import { type ListFacts, type ListQuery, listQueryText, readListQuery } from './list-query';
import { listColumns, listRows } from './list-table';
import { listPath, titleOf } from './record-paths';
import { factsOf } from './record-list.controller';
import { RecordScope } from './record-scope';
import { valueHtml } from './value-html';

/** The field of the form with how many records its user was told of. */
const EXPECTED = 'expected-count';

/** Records that are shown of those that are to be changed. */
const SAMPLE = 5;

/** Changing many records at once: what to, then once more with how many, then it is done to exactly these. */
@ConsoleController('records')
export class BulkController {
  constructor(
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/bulk')
  async ask(@Param('kind') name: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const kind = this.scope.kindNamed(name);
    this.scope.demand(kind, visit, 'update');
    const texts = bulkTexts(kind, visit.query);
    return this.show(this.facts(name), visit, texts, { status: 200, faults: faultsOf(kind, texts) });
  }

  @Post(':kind/bulk')
  async carryOut(@Param('kind') name: string, @CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    const kind = this.scope.kindNamed(name);
    this.scope.demand(kind, visit, 'update');
    const facts = this.facts(name);
    const texts = bulkTexts(kind, visit.query);
    const query = readListQuery(facts, withoutSettings(visit.query));
    const expected = Number(visit.form.get(EXPECTED) ?? Number.NaN);
    try {
      const wrong = [...Object.values(query.faults), ...Object.values(faultsOf(kind, texts))];
      if (wrong.length > 0 || Object.keys(texts).length === 0) {
        throw new RecordsRefusal('Nothing was changed: choose what to change, and what to.');
      }
      const patch = readPatch(kind.patch as NonNullable<typeof kind.patch>, texts);
      const changed = await this.records.updateAll(kind, query.filter, patch, expected);
      const same = expected - changed;
      const others = same > 0 ? ` ${countText(kind, same)} had ${same === 1 ? 'it' : 'that'} already.` : '';
      return seeOther(listPath(kind), {
        notice: `${countText(kind, changed)} ${changed === 1 ? 'was' : 'were'} changed.${others}`,
      });
    } catch (error) {
      return this.show(facts, visit, texts, formFaults(error, bulkFields(kind)));
    }
  }

  private facts(name: string): ListFacts {
    return factsOf(this.records, this.scope.kindNamed(name));
  }

  private async show(
    facts: ListFacts,
    visit: Visit,
    texts: Readonly<Record<string, string>>,
    { status, faults }: { readonly status: number; readonly faults: Readonly<Record<string, string>> },
  ): Promise<Page> {
    const { kind } = facts;
    const query = readListQuery(facts, withoutSettings(visit.query));
    const wrong = { ...query.faults, ...faults };
    const isReadable = Object.keys(query.faults).length === 0;
    const count = isReadable ? await this.records.count(kind, query.filter, MAX_BULK + 1) : 0;
    const sample = isReadable ? await this.sample(facts, query) : [];
    const isChosen = Object.keys(texts).length > 0 && Object.keys(faultsOf(kind, texts)).length === 0;
    return page('/records/bulk', {
      title: `Change ${kind.name}`,
      trail: [{ title: titleOf(kind), path: `${listPath(kind)}${listQueryText(query.texts)}` }],
      status: isReadable ? status : 422,
      data: {
        kind,
        faults: wrong,
        words: filterWords(filterControls(facts, query)),
        hidden: Object.entries(query.texts).map(([name, value]) => ({ name, value })),
        path: `${listPath(kind)}/bulk`,
        address: visit.address,
        listPath: `${listPath(kind)}${listQueryText(query.texts)}`,
        count,
        countText: countText(kind, count, MAX_BULK),
        isTooMany: count > MAX_BULK,
        limit: MAX_BULK,
        expected: { name: EXPECTED, value: String(count) },
        isChosen: isChosen && isReadable,
        choices: bulkFields(kind)
          .filter(({ name }) => texts[name] !== undefined)
          .map((field) => ({ label: field.label, value: valueHtml(field, texts[field.name]) })),
        controls: bulkFields(kind).map((field) => ({
          ...fieldControl(field, {
            value: texts[field.name] ?? '',
            label: `New ${field.label.toLowerCase()}`,
            none: 'Leave as it is',
            error: faults[field.name],
          }),
          name: SET + field.name,
        })),
        columns: listColumns(facts, query),
        rows: listRows(facts, sample),
      },
    });
  }

  private sample({ kind }: ListFacts, { filter, order }: ListQuery) {
    return this.records.search(kind, filter, { order, limit: SAMPLE });
  }
}

/** What is wrong with the values chosen, by field. */
function faultsOf(kind: ListFacts['kind'], texts: Readonly<Record<string, string>>): Record<string, string> {
  try {
    readPatch(kind.patch as NonNullable<typeof kind.patch>, texts);
    return {};
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    return faultTexts(bulkFields(kind), error.faults);
  }
}
