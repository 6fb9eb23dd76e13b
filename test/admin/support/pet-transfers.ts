import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DataSource, IsNull } from 'typeorm';
import { ExportService } from '../../../src/admin/records/transfer/export.service';
import type { ExportFormat, ImportFormat } from '../../../src/admin/records/transfer/formats';
import { ImportFile } from '../../../src/admin/records/transfer/import-file';
import { ImportFilePart } from '../../../src/admin/records/transfer/import-file-part.entity';
import { ImportLedger } from '../../../src/admin/records/transfer/import-ledger.repository';
import { ImportRun } from '../../../src/admin/records/transfer/import-run.entity';
import {
  type ImportOptions,
  type ImportReport,
  ImportService,
} from '../../../src/admin/records/transfer/import.service';
import {
  ImportUndo,
  type ImportUndoOptions,
  type ImportUndoReport,
} from '../../../src/admin/records/transfer/import-undo.service';
import { RecordHistory } from '../../../src/admin/records/history/record-history.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import type { StoredRecord } from '../../../src/admin/records/stored-record';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { actingAs } from '../../../src/platform/security/actor';
import type { AuditEvent } from '../../../src/platform/audit/audit-event.entity';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { makeFolder } from '../../support/folders';
import type { TestService } from '../../support/service/service';

/** Rows of a batch. */
export const BATCH = 1_000;

/** CSV of so many pets whose names begin alike. */
export function csvOf(part: string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `${part} ${index},1\n`);
  return `name,categoryId\n${rows.join('')}`;
}

function whereOf(part: string | bigint) {
  return typeof part === 'bigint' ? { categoryId: part } : { name: { contains: part } };
}

/** Exports and imports the pets of a test service. */
export class PetTransfers {
  /** For files. */
  readonly folder = makeFolder();
  readonly records = this.service.app.get(RecordsService, { strict: false });
  readonly history = this.service.app.get(RecordHistory, { strict: false });
  readonly audit = this.service.app.get(AuditLog, { strict: false });

  constructor(private readonly service: TestService) {}

  /** The pets with this in their name, or of this category, as a file has them. */
  async exported(format: ExportFormat, name: string | bigint): Promise<string> {
    const texts = this.service.app.get(ExportService, { strict: false }).read(PETS_ADMIN, format, {
      filter: { where: whereOf(name) },
      order: { by: 'id', descending: false },
    });
    let text = '';
    for await (const piece of texts) text += piece;
    return text;
  }

  /** Imports a file `pets.<format>` on the account of `cli:ana`. */
  async imported(content: string, format: ImportFormat, options: ImportOptions = {}): Promise<ImportReport> {
    const path = join(this.folder, 'input');
    writeFileSync(path, content);
    const file = await ImportFile.open(path, `pets.${format}`, format);
    const imports = this.service.app.get(ImportService, { strict: false });
    try {
      return await actingAs({ name: 'cli:ana' }, () => imports.import(PETS_ADMIN, file, options));
    } finally {
      await file.close();
    }
  }

  /** {@link imported}, ended after the first batch. */
  begun(content: string, format: ImportFormat, options: ImportOptions = {}): Promise<ImportReport> {
    const end = new AbortController();
    return this.imported(content, format, { ...options, signal: end.signal, onBatch: () => end.abort() });
  }

  /** Undoes an import on the account of `cli:kim`. */
  undo(run: bigint, options?: ImportUndoOptions): Promise<ImportUndoReport> {
    const undoing = this.service.app.get(ImportUndo, { strict: false });
    return actingAs({ name: 'cli:kim' }, () => undoing.undo(PETS_ADMIN, run, options));
  }

  /** The pets with this in their name, or of this category, by id. */
  stored(part: string | bigint): Promise<StoredRecord[]> {
    return this.records.search(PETS_ADMIN, { filter: { where: whereOf(part) }, limit: 100_000 });
  }

  /** Their names. */
  async namesOf(part: string): Promise<unknown[]> {
    return (await this.stored(part)).map(({ values }) => values.name);
  }

  /** The file of the refused rows of an import. */
  async refusedBy({ run }: ImportReport): Promise<string> {
    const ledger = this.service.app.get(ImportLedger, { strict: false });
    return (await Readable.from(ledger.refused(run ?? 0n)).toArray()).join('');
  }

  /** The sizes of the stored parts of the file of an import. */
  async partsOf(runId: bigint | undefined): Promise<number[]> {
    const parts = this.service.app.get(DataSource).getRepository(ImportFilePart);
    const found = await parts.find({ where: { runId: runId ?? 0n }, order: { position: 'ASC' } });
    return found.map(({ bytes }) => bytes.length);
  }

  /** What is on record of an import, oldest first. */
  async eventsOf({ run }: ImportReport): Promise<AuditEvent[]> {
    const subject = { subjectType: 'pets', subjectId: `import:${run}` };
    return (await this.audit.list(subject, { limit: 100 })).toReversed();
  }

  /** Gives the job of an import to a process: of the unfinished one, unless another is given. */
  async hold(lockedBy: string, lockedUntil: Date, run?: bigint): Promise<void> {
    const dataSource = this.service.app.get(DataSource);
    const where = run === undefined ? { finishedAt: IsNull() } : { id: run };
    const { job } = await dataSource.getRepository(ImportRun).findOneByOrFail(where);
    const held = { state: 'waiting', lockedBy, lockedUntil } as const;
    await dataSource.getRepository(StoredRun).update({ id: job ?? 0n }, held);
  }
}
