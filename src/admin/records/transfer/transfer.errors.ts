import { defineError } from '../../../platform/errors/app-error';

/** One row cannot be imported; the others can. */
export const InvalidRowError = defineError({
  code: 'invalid_row',
  status: 422,
  message: 'The row cannot be imported.',
});

/** The file as a whole cannot be read; nothing of it was imported. */
export const MalformedFileError = defineError({
  code: 'malformed_file',
  status: 415,
  message: 'The file cannot be read.',
});

/** A stream cannot be copied to a temporary file. */
export class TemporaryFileError extends defineError({
  code: 'no_temporary_file',
  status: 500,
  message: 'A temporary file cannot be written.',
}) {
  constructor(name: string, { message }: Error) {
    super(
      `${name} cannot be copied to a temporary file: ${message}. Set TMPDIR to a writable folder with enough space.`,
    );
  }
}

/** The file that is stored is not the one that was to be imported, or not all of it. */
export class FileChangedError extends defineError({
  code: 'file_changed',
  status: 500,
  message: 'The file was changed while it was stored, or is kept no longer.',
}) {
  constructor(name: string) {
    super(`${name} was changed while it was stored, or is kept no longer. Import the file again.`);
  }
}

/** The same content is being imported already. */
export class ImportInProgressError extends defineError({
  code: 'import_in_progress',
  status: 409,
  message: 'The same content is being imported by another process.',
}) {
  constructor(name: string) {
    super(`${name} is being imported by another process.`);
  }
}

/** The same content was imported before. */
export const AlreadyImportedError = defineError({
  code: 'already_imported',
  status: 409,
  message: 'The same content was imported before.',
});

/** The same content is being undone. */
export class ImportUndoneError extends defineError({
  code: 'import_being_undone',
  status: 409,
  message: 'The import of this content is being undone.',
}) {
  constructor(name: string, run: bigint) {
    super(`${name} was imported in run ${run}, which is being undone. Import it again once that has ended.`);
  }
}

/** There is no such run. */
export class ImportNotFoundError extends defineError({
  code: 'import_not_found',
  status: 404,
  message: 'There is no such import.',
}) {
  constructor(kind: string, run: bigint) {
    super(`There is no import ${run} of ${kind}.`);
  }
}

/** Another process took over the import or its undo, because this one gave no sign of life for too long. */
export class ImportTakenOverError extends defineError({
  code: 'import_taken_over',
  status: 409,
  message: 'Another process continues the import.',
}) {
  /** @param what as `the import of pets.csv` */
  constructor(what: string) {
    super(`Another process continues ${what}; this one has stopped.`);
  }
}

/** An operator stopped the run of the job. */
export class ImportStoppedError extends defineError({
  code: 'import_stopped',
  status: 409,
  message: 'An operator has stopped the import.',
}) {
  /** @param what as `the import of pets.csv` */
  constructor(what: string) {
    super(`An operator has stopped ${what}: do the same again to go on.`);
  }
}

/** An export of all records lacks some. */
export class IncompleteExportError extends defineError({
  code: 'incomplete_export',
  status: 500,
  message: 'The export is incomplete.',
}) {
  /** @param records as `pets` */
  constructor(records: string, written: number, expected: number) {
    super(
      `The export is incomplete: ${written.toLocaleString('en')} of ${expected.toLocaleString('en')} ${records} were written. If removed ${records} were restored meanwhile, export again.`,
    );
  }
}
