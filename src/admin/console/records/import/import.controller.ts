import { basename } from 'node:path';
import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../../../records/transfer/formats';
import { ImportFile } from '../../../records/transfer/import-file';
import { type ImportReport, ImportService } from '../../../records/transfer/import.service';
import type { Refusal } from '../../../records/transfer/refusals';
import { ConsoleController } from '../../console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../../console-request';
import { type FormFaults, formFaults } from '../../form-faults';
import { type Page, page, seeOther, type SeeOther } from '../../page';
import { MAX_FILE_BYTES } from '../../read-form';
import { OneTimeForms } from '../../sessions/one-time-forms';
import { countText } from '../../ui/count-text';
import { lastList } from '../last-list';
import { importPath, listPath, manyOf } from '../record-paths';
import { RecordScope } from '../record-scope';

/** Refused rows that a page shows. */
const SHOWN = 50;

/** Refused rows after which a preview ends: who sees so many knows enough. */
const ENOUGH_REFUSED = 1_000;

/** Longest name of a file that is kept, in characters. */
const MAX_NAME = 100;

/** A file that is to be imported. */
interface UploadedFile {
  readonly name: string;
  readonly format: ImportFormat;
  readonly bytes: Buffer;
}

/** What would become of a file. */
interface Preview {
  readonly report: ImportReport;
  readonly refused: readonly Refusal[];
  /** When and as what it was imported already, and who did it. */
  readonly earlier: string | undefined;
}

/**
 * Adding the rows of a file: first it is told what would become of each, then they are added. The file comes back with the form that
 * says so, and is kept nowhere in between: any node may get the next request.
 */
@ConsoleController('records')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly scope: RecordScope,
    private readonly forms: OneTimeForms,
  ) {}

  @Get(':kind/import')
  ask(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): Page {
    return this.askPage(this.kindNamed(name, request), request);
  }

  @Post(':kind/import')
  async preview(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): Promise<Page> {
    const kind = this.kindNamed(name, request);
    const chosen = chosenFile(request);
    if ('faults' in chosen) return this.askPage(kind, request, chosen);
    return this.previewPage(kind, request, chosen);
  }

  @Post(':kind/import/run')
  async run(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<Page | SeeOther> {
    const kind = this.kindNamed(name, request);
    const sent = sentFile(request);
    if ('faults' in sent) return this.askPage(kind, request, sent);
    // In a transaction of its own: the batches of an import are stored one after the other.
    await this.forms.runOnce(request.form, () => Promise.resolve());
    try {
      const again = request.form.has('again');
      const report = await this.imports.import(kind, importFileOf(sent), { again });
      return seeOther(listPath(kind), { notice: noticeOf(kind, report) });
    } catch (error) {
      return this.previewPage(kind, request, sent, formFaults(error));
    }
  }

  private kindNamed(name: string, request: ConsoleRequest): AdminRecords {
    const kind = this.scope.kindNamed(name);
    this.scope.requireAction(kind, request, 'create');
    return kind;
  }

  private askPage(kind: AdminRecords, request: ConsoleRequest, refused?: FormFaults): Page {
    return page('/records/import/ask', {
      title: `Import ${manyOf(kind)}`,
      trail: [lastList(kind, request)],
      status: refused?.status ?? 200,
      data: {
        kind,
        path: importPath(kind),
        cancelPath: lastList(kind, request).path,
        format: (request.storedForm ?? request.form).get('format') ?? '',
        maxMebibytes: MAX_FILE_BYTES / 1_048_576,
        faults: refused?.faults ?? {},
      },
    });
  }

  private async previewPage(
    kind: AdminRecords,
    request: ConsoleRequest,
    chosen: UploadedFile,
    refused?: FormFaults,
  ): Promise<Page> {
    let preview: Preview;
    try {
      preview = await this.rehearse(kind, importFileOf(chosen));
    } catch (error) {
      const { status, faults } = formFaults(error);
      return this.askPage(kind, request, { status, faults: { file: faults[''] ?? '' } });
    }
    const { report, earlier } = preview;
    return page('/records/import/preview', {
      title: `Import ${chosen.name}`,
      trail: [lastList(kind, request), { title: `Import ${manyOf(kind)}`, path: importPath(kind) }],
      status: refused?.status ?? 200,
      data: {
        ...{ report, earlier, refused: preview.refused },
        added:
          report.done < report.rows
            ? `the ${manyOf(kind)} that can be added`
            : countText(kind, report.imported),
        file: { name: chosen.name, format: chosen.format, content: chosen.bytes.toString('base64') },
        runPath: `${importPath(kind)}/run`,
        path: importPath(kind),
        faults: refused?.faults ?? {},
      },
    });
  }

  /** Does everything but keep it, up to the batch in which too many are refused. */
  private async rehearse(kind: AdminRecords, file: ImportFile): Promise<Preview> {
    const refused: Refusal[] = [];
    const end = new AbortController();
    let count = 0;
    const report = await this.imports.import(kind, file, {
      dryRun: true,
      signal: end.signal,
      onBatch: (_done, some) => {
        refused.push(...some.slice(0, SHOWN - refused.length));
        count += some.length;
        if (count >= ENOUGH_REFUSED) end.abort();
      },
    });
    return { report, refused, earlier: await this.imports.lastImport(kind, file) };
  }
}

/** The file that a person has chosen, or what is wrong with it. */
function chosenFile({ upload, form }: ConsoleRequest): UploadedFile | FormFaults {
  if (!upload) return fault('file', 'Choose a file.');
  return checked(upload.name, form.get('format') || formatOf(upload.name), upload.bytes);
}

/** The file that came back with the form that says what would become of it. */
function sentFile({ form }: ConsoleRequest): UploadedFile | FormFaults {
  const bytes = Buffer.from(form.get('content') ?? '', 'base64');
  return checked(form.get('name') ?? '', form.get('format') ?? undefined, bytes);
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

/** @throws MalformedFileError */
function importFileOf({ name, format, bytes }: UploadedFile): ImportFile {
  return ImportFile.of(bytes, name, format);
}

function noticeOf(kind: AdminRecords, { imported, refused, resumedAt }: ImportReport) {
  const added = `${countText(kind, imported)} ${imported === 1 ? 'was' : 'were'} added`;
  const before = resumedAt > 0 ? ', some of them by an import that was broken off' : '';
  const left =
    refused > 0 ? ` ${refused.toLocaleString('en')} ${refused === 1 ? 'row was' : 'rows were'} refused.` : '';
  return { tone: refused > 0 ? 'warning' : 'success', text: `${added}${before}.${left}` } as const;
}
