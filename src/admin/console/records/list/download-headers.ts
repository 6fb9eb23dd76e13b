import type { ExportFormat } from '../../../records/transfer/formats';
import { PAGE_HEADERS } from '../../http/page-headers';

/** Media types of RFC 4180 and RFC 8259, and the usual one for lines of JSON. */
const CSV = 'text/csv; charset=utf-8; header=present';
const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: CSV,
  spreadsheet: CSV,
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Header fields of a file that browsers store. @param name of the file, without the extension */
export function downloadHeaders(name: string, format: ExportFormat): Record<string, string> {
  const extension = format === 'spreadsheet' ? 'csv' : format;
  return {
    ...PAGE_HEADERS,
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}.${extension}"`,
  };
}
