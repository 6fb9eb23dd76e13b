import { Get, Param } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { ComposedResponse } from '../../../../platform/http/response/composed-response';
import { isStorableText } from '../../../../platform/values/kinds/text.kind';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../../http/console-request';
import { PAGE_HEADERS } from '../../http/page-headers';
import type { Option } from '../../ui/fields';
import { nameField, recordTitle } from '../../../records/record-title';
import { findRecords } from '../../../find/find-records';
import { RecordScope } from '../record-scope';
import { SearchesOfPeople } from './searches-of-people';

/** Limit of records that one search offers. */
const MOST = 8;

/** Length to which the text to find is cut, in characters. */
const MAX_LENGTH = 200;

/** The records that a text finds. */
interface Found {
  readonly options: readonly Option[];
  /** True if the search ran out of time before it had seen all records. */
  readonly isCut: boolean;
}

/** Finds records of a type while a person types into a field that refers to one. The script of the pages asks for it. */
@ConsoleController('records')
export class OptionsController {
  constructor(
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
    private readonly searches: SearchesOfPeople,
  ) {}

  @Get(':kind/options')
  async options(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ComposedResponse> {
    const recordType = this.scope.recordTypeNamed(name);
    const text = (request.query.get('q') ?? '').trim().slice(0, MAX_LENGTH);
    const found = await this.searches.run(request.session.lineageId, () => this.find(recordType, text));
    const headers = { ...PAGE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' };
    return new ComposedResponse(200, headers, JSON.stringify(found ?? { options: [], isCut: false }));
  }

  /** Finds by number and by the beginning of the name, then by any part of the name among the records of a second. */
  private async find(recordType: AdminRecords, text: string): Promise<Found> {
    if (!isStorableText(text)) return { options: [], isCut: false };
    const wanted = { removed: 'without', limit: MOST } as const;
    const found = text === '' ? [] : await findRecords(this.records, recordType, text, wanted);
    const name = nameField(recordType);
    const isByName = text !== '' && name?.kind === 'text';
    if (found.length === MOST || (text !== '' && !isByName))
      return { options: optionsOf(recordType, found), isCut: false };
    const { records, lookedTo } = await this.records.searchBriefly(recordType, {
      filter: { where: isByName ? { [name.name]: { contains: text } } : {} },
      order: { by: 'id', descending: true },
      limit: MOST,
    });
    const known = new Set(found.map(({ values }) => values.id));
    const others = records.filter(({ values }) => !known.has(values.id));
    return {
      options: optionsOf(recordType, [...found, ...others].slice(0, MOST)),
      isCut: lookedTo !== undefined && records.length < MOST,
    };
  }
}

function optionsOf(recordType: AdminRecords, records: readonly StoredRecord[]): Option[] {
  return records.map((record) => ({
    value: String(record.values.id),
    label: recordTitle(recordType, record),
  }));
}
