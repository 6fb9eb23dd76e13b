/** Formats records can be exported in. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'json'] as const;
/** Formats records can be imported from. */
export const IMPORT_FORMATS = ['csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** What records have besides their documented fields; an import reads over it, for the service sets it. */
export const STORED_MEMBERS = ['createdAt', 'removedAt'] as const;

const BY_EXTENSION: Readonly<Record<string, ExportFormat>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
};

/** The format that a file name ends with; undefined when it ends with none. */
export function formatOf(fileName: string): ExportFormat | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(fileName) ?? [];
  return BY_EXTENSION[extension.toLowerCase()];
}
