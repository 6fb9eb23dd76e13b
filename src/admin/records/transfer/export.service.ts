import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { BYTE_ORDER_MARK } from '../../../platform/values/byte-order-mark';
import { exactJson } from '../../../platform/values/exact-json';
import { fieldsOf } from '../record-fields';
import { addCondition } from '../../../platform/database/statements/where';
import type { RecordFilter, RecordList } from '../list-request';
import { RecordsRepository } from '../records.repository';
import type { StoredRecord } from '../stored-record';
import { cellOfText } from './cell-text';
import { type ExportFormat, STORED_MEMBERS } from './formats';
import { IncompleteExportError } from './transfer.errors';

/** A limit of a count that counts all. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Records that are read and converted at a time: that takes about a millisecond, and a server can do other work in between. */
const PAGE = 100;

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
   * @throws IncompleteExportError at the end, if it has fewer records than match
   */
  async *read(
    recordType: AdminRecords,
    format: ExportFormat,
    list: RecordList,
    onPage?: (records: number) => void,
  ): AsyncGenerator<string, void, undefined> {
    const writer = WRITERS[format](recordType);
    const { count: expected } = await this.records.count(recordType, list.filter, ALL);
    const newest = await this.newest(recordType);
    if (writer.begin !== '') yield writer.begin;
    let count = 0;
    for await (const page of this.records.pages(recordType, list, PAGE)) {
      yield writer.page(page, count === 0);
      count += page.length;
      onPage?.(count);
    }
    if (count < expected) await this.assertWhole(recordType, list.filter, { expected, newest, count });
    if (writer.end !== '') yield writer.end;
  }

  /** The greatest id; 0 without records. */
  private async newest(recordType: AdminRecords): Promise<bigint> {
    const { records: found } = await this.records.search(recordType, {
      filter: { removed: 'with' },
      order: { by: 'id', descending: true },
      limit: 1,
    });
    return found[0]?.values.id ?? 0n;
  }

  /** @throws IncompleteExportError if fewer records were written than matched before the export and match still */
  private async assertWhole(
    recordType: AdminRecords,
    filter: RecordFilter,
    { expected, newest, count }: { expected: number; newest: bigint; count: number },
  ): Promise<void> {
    const { count: matching } = await this.records.count(recordType, filter, ALL);
    // Those added since have greater ids, and need not be written.
    const where = { ...filter.where };
    addCondition(where, 'id', { from: newest + 1n });
    const { count: added } = await this.records.count(recordType, { ...filter, where }, ALL);
    const most = Math.min(expected, matching - added);
    if (count < most) throw new IncompleteExportError(recordType.name, count, most);
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
