/** Formats in which records can be exported; `spreadsheet` is CSV with a byte order mark. */
export const EXPORT_FORMATS = ['csv', 'spreadsheet', 'ndjson', 'json'] as const;
/** Formats from which records can be imported. */
export const IMPORT_FORMATS = ['csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Members that records have besides their documented fields; an import skips them, because the service sets them. */
export const STORED_MEMBERS = ['createdAt', 'removedAt'] as const;

/** Members that files of refused rows have before those of the rows; an import skips them. */
export const REFUSAL_MEMBERS: readonly string[] = ['refusedLine', 'refusedBecause'];

const BY_EXTENSION: Readonly<Record<string, ExportFormat>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
};

/** The format of a file by the extension of its name; undefined for any other extension. */
export function formatOf(fileName: string): ExportFormat | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(fileName) ?? [];
  return BY_EXTENSION[extension.toLowerCase()];
}
