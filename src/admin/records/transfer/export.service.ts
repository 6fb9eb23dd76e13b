import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { BYTE_ORDER_MARK } from '../../../platform/values/byte-order-mark';
import { exactJson } from '../../../platform/values/exact-json';
import { fieldsOf } from '../record-fields';
import type { RecordList } from '../list-request';
import { RecordsRepository } from '../records.repository';
import type { StoredRecord } from '../stored-record';
import { cellOfText } from './cell-text';
import { type ExportFormat, STORED_MEMBERS } from './formats';
import { IncompleteExportError } from './transfer.errors';

/** A limit of a count that counts all. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Records that are read and converted at a time: that takes about a millisecond, and a server can do other work in between. */
const PAGE = 100;

/**
 * Age from which a record counts for whether an export is whole, in milliseconds: transactions that were in progress when it
 * began may store younger ones meanwhile, behind the place that it has reached.
 */
const SETTLED_MS = 5 * 60_000;

/** Converts pages of records to text. */
interface Writer {
  /** Text before the first record. */
  readonly begin: string;
  page(records: readonly StoredRecord[], isFirst: boolean): string;
  readonly end: string;
}

/** Exports any number of records, with one page in memory at a time. */
@Injectable()
export class ExportService {
  constructor(private readonly records: RecordsRepository) {}

  /**
   * Yields the records of a list, as text in pieces.
   *
   * The text is not a snapshot: each record is as it was when its page was read. Ordered by id, every record that exists from
   * the beginning to the end is there exactly once; in any other order, a record that moves in the meantime may be missing or
   * there twice.
   *
   * @param onPage called after each page with the number of records so far
   * @throws IncompleteExportError at the end, if it is of all records and lacks some that were there long before
   */
  async *read(
    recordType: AdminRecords,
    format: ExportFormat,
    list: RecordList,
    onPage?: (records: number) => void,
  ): AsyncGenerator<string, void, undefined> {
    const writer = WRITERS[format](recordType);
    const settled = new Date(Date.now() - SETTLED_MS);
    if (writer.begin !== '') yield writer.begin;
    let count = 0;
    let written = 0;
    for await (const page of this.records.pages(recordType, list, PAGE)) {
      yield writer.page(page, count === 0);
      count += page.length;
      written += page.filter(({ createdAt }) => createdAt && createdAt <= settled).length;
      onPage?.(count);
    }
    if (this.isSteady(recordType, list)) await this.assertWhole(recordType, list, settled, written);
    if (writer.end !== '') yield writer.end;
  }

  /** True if no change of a value brings a record into a list, or to another place in it. */
  private isSteady(recordType: AdminRecords, { filter, order }: RecordList): boolean {
    const isFiltered = filter.ids !== undefined || Object.keys(filter.where ?? {}).length > 0;
    if (isFiltered || filter.removed === 'only') return false;
    return ['id', 'createdAt'].includes(order.by) && this.records.isDated(recordType);
  }

  /** @throws IncompleteExportError if fewer records of a time or earlier were written than there are */
  private async assertWhole(
    recordType: AdminRecords,
    { filter }: RecordList,
    settled: Date,
    written: number,
  ): Promise<void> {
    const where = { createdAt: { to: settled } };
    const { count } = await this.records.count(recordType, { ...filter, where }, ALL);
    if (written < count) throw new IncompleteExportError(recordType.name, written, count);
  }
}

const NDJSON_WRITER: Writer = {
  begin: '',
  page: (records) => records.map((record) => `${memberText(record)}\n`).join(''),
  end: '',
};

const JSON_WRITER: Writer = {
  begin: '[',
  page: (records, isFirst) => `${isFirst ? '' : ','}\n${records.map(memberText).join(',\n')}`,
  end: '\n]\n',
};

const WRITERS: Readonly<Record<ExportFormat, (recordType: AdminRecords) => Writer>> = {
  csv: csvWriter,
  spreadsheet: (recordType) => {
    const writer = csvWriter(recordType);
    return { ...writer, begin: BYTE_ORDER_MARK + writer.begin };
  },
  ndjson: () => NDJSON_WRITER,
  json: () => JSON_WRITER,
};

function memberText({ values, createdAt, removedAt }: StoredRecord): string {
  return exactJson({ ...values, createdAt: createdAt ?? null, removedAt: removedAt ?? null });
}

/** Writes CSV by RFC 4180: a header, CRLF, and quotation marks where they are needed. */
function csvWriter({ record }: AdminRecords): Writer {
  const fields = fieldsOf(record);
  const options = { record_delimiter: 'windows', quote_record_delimiter: true } as const;
  const rowOf = ({ values, createdAt, removedAt }: StoredRecord) => [
    ...fields.map(({ name, kind }) => cellOf(values[name], kind === 'text')),
    cellOf(createdAt, false),
    cellOf(removedAt, false),
  ];
  return {
    begin: stringify([[...fields.map(({ name }) => name), ...STORED_MEMBERS]], options),
    page: (records) => stringify(records.map(rowOf), options),
    end: '',
  };
}

function cellOf(value: unknown, isText: boolean): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : exactJson(value);
  return isText ? cellOfText(text) : text;
}
