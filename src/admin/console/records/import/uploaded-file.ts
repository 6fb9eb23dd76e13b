import { basename } from 'node:path';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../../../records/transfer/formats';
import { ImportFile } from '../../../records/transfer/import-file';
import type { ConsoleRequest } from '../../http/console-request';
import type { FormFaults } from '../../http/form-faults';
import { MAX_FILE_BYTES, TOO_LARGE } from '../../http/read-form';

/** Length to which the name of a file is cut, in characters. */
const MAX_NAME = 100;

/** Size limit of a file, in MiB. */
export const MAX_MEBIBYTES = MAX_FILE_BYTES / 1_048_576;

/** The fault of a file that is too large. */
const LARGE: FormFaults = {
  status: 413,
  faults: {
    file: `The file is larger than ${MAX_MEBIBYTES} MiB: split it, or import it from the command line.`,
  },
};

/** A file to be imported. */
export interface UploadedFile {
  readonly name: string;
  readonly format: ImportFormat;
  readonly bytes: Buffer;
}

/** Reads the file that a person has chosen, or the fault in it. */
export function chosenFile({ upload, form }: ConsoleRequest): UploadedFile | FormFaults {
  if (!upload) return fault('file', 'Choose a file.');
  if (upload === TOO_LARGE) return LARGE;
  return checked(upload.name, form.get('format') || formatOf(upload.name), upload.bytes);
}

/** Reads the file that the form of the preview sent back, or the fault in it. */
export function sentFile({ form }: ConsoleRequest): UploadedFile | FormFaults {
  const bytes = Buffer.from(form.get('content') ?? '', 'base64');
  return checked(form.get('name') ?? '', form.get('format') ?? undefined, bytes);
}

/** Opens a file. @throws MalformedFileError */
export function importFileOf({ name, format, bytes }: UploadedFile): ImportFile {
  return ImportFile.of(bytes, name, format);
}

function checked(name: string, formatName: string | undefined, bytes: Buffer): UploadedFile | FormFaults {
  if (bytes.length > MAX_FILE_BYTES) return LARGE;
  const format = IMPORT_FORMATS.find((each) => each === formatName);
  if (!format) return fault('format', 'The file name does not say the format: choose a format.');
  // Control characters, and characters that change the direction of text, could make one name look like another.
  const shown = basename(name.replaceAll('\\', '/')).replaceAll(/[\p{C}\u2028\u2029]/gu, '');
  return { name: shown.slice(0, MAX_NAME) || 'file', format, bytes };
}

function fault(field: string, message: string): FormFaults {
  return { status: 422, faults: { [field]: message } };
}
