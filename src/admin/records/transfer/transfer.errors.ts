import { RecordsRefusal } from '../records.errors';

/** One row cannot be imported; the others can. */
export class RefusedRow extends Error {}

/** The file as such cannot be read; nothing of it was imported. */
export class MalformedFile extends Error {}

/** Another process wrote to the file while it was read. */
export class FileChanged extends Error {
  constructor(name: string) {
    super(
      `${name} was changed while it was being imported. What was imported stays; what is in the file now is another import.`,
    );
  }
}

/** The same content is being imported already. */
export class ImportInProgress extends RecordsRefusal {
  constructor(name: string) {
    super(`${name} is being imported by another process.`);
  }
}

/** The same content was imported before. */
export class AlreadyImported extends RecordsRefusal {}

/** Another process went on with the import, because this one was not heard of. */
export class ImportTakenOver extends RecordsRefusal {
  constructor(name: string) {
    super(`Another process goes on with the import of ${name}; this one has stopped.`);
  }
}
