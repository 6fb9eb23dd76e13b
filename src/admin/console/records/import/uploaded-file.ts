import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../../../records/transfer/formats';
import { ImportFile } from '../../../records/transfer/import-file';
import type { ConsoleRequest } from '../../console-request';
import type { FormFaults } from '../../form-faults';
import { MAX_FILE_BYTES } from '../../read-form';

/** Longest name of a file that is kept, in characters. */
const MAX_NAME = 100;

/** A file that is to be imported. */
export interface UploadedFile {
  readonly name: string;
  readonly format: ImportFormat;
  readonly bytes: Buffer;
}

/** The file that a person has chosen, or what is wrong with it. */
export function chosenFile({ upload, form }: ConsoleRequest): UploadedFile | FormFaults {
  if (!upload) return fault('file', 'Choose a file.');
  return checked(upload.name, form.get('format') || formatOf(upload.name), upload.bytes);
}

/** The file that came back with the form that says what would become of it. */
export function sentFile({ form }: ConsoleRequest): UploadedFile | FormFaults {
  const bytes = Buffer.from(form.get('content') ?? '', 'base64');
  return checked(form.get('name') ?? '', form.get('format') ?? undefined, bytes);
}

/** Opens it to be imported; the caller closes it. @throws MalformedFileError */
export function openFile({ name, format, bytes }: UploadedFile): Promise<ImportFile> {
  return ImportFile.openStream(Readable.from([bytes]), name, format);
}

function checked(name: string, formatName: string | undefined, bytes: Buffer): UploadedFile | FormFaults {
  if (bytes.length > MAX_FILE_BYTES) {
    return fault('file', `The file has more than ${MAX_FILE_BYTES / 1_048_576} MiB.`);
  }
  const format = IMPORT_FORMATS.find((each) => each === formatName);
  if (!format) return fault('format', 'The name of the file does not tell its format: choose it.');
  // Control characters, and those that turn the direction of text, could make one name look like another.
  const shown = basename(name.replaceAll('\\', '/')).replaceAll(/[\p{C}\u2028\u2029]/gu, '');
  return { name: shown.slice(0, MAX_NAME) || 'file', format, bytes };
}

function fault(field: string, message: string): FormFaults {
  return { status: 422, faults: { [field]: message } };
}
