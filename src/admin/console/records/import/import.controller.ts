import { Get, HttpCode, Param, Post, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import type { ImportFile } from '../../../records/transfer/import-file';
import { emptyTextInWords } from '../../../records/transfer/empty-texts';
import { type ImportReport, ImportService } from '../../../records/transfer/import.service';
import type { Refusal } from '../../../records/transfer/refusals';
import { rowsInWords } from '../../../records/transfer/rows-in-words';
import { ImportUndo } from '../../../records/transfer/import-undo.service';
import { RefusedRows } from '../../../records/transfer/refused-rows.service';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../../http/console-request';
import { type FormFaults, formFaults } from '../../http/form-faults';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { OneTimeForms } from '../../sessions/one-time-forms';
import { countText } from '../../ui/count-text';
import { lastList } from '../last-list';
import { manyOf } from '../../../records/record-names';
import { importPath, importUndoPath, listPath } from '../record-paths';
import { downloadHeaders } from '../list/download-headers';
import { RecordScope } from '../record-scope';
import { chosenFile, importFileOf, MAX_MEBIBYTES, sentFile, type UploadedFile } from './uploaded-file';

/** Number of refused rows that a page shows. */
const SHOWN = 50;

/** Number of refused rows after which a preview ends: nobody needs more to see that the file is wrong. */
const ENOUGH_REFUSED = 1_000;

/** The result that an import of a file would have. */
interface Preview {
  readonly report: ImportReport;
  readonly refused: readonly Refusal[];
  /** A sentence about an earlier import of the same file, if any. */
  readonly earlier: string | undefined;
}

/**
 * Imports the rows of a file: first shows the result that this would have, then adds the rows. The form of the preview sends
 * the file back, and the service stores it nowhere in between: any node may get the next request.
 */
@ConsoleController('records')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly refusedRows: RefusedRows,
    private readonly undoing: ImportUndo,
    private readonly scope: RecordScope,
    private readonly forms: OneTimeForms,
  ) {}

  @Get(':kind/import')
  ask(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): ConsolePage {
    return this.askPage(this.recordTypeNamed(name, request), request);
  }

  @Post(':kind/import')
  async preview(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const recordType = this.recordTypeNamed(name, request);
    const chosen = chosenFile(request);
    if ('faults' in chosen) return this.askPage(recordType, request, chosen);
    return this.previewPage(recordType, request, chosen);
  }

  @Post(':kind/import/run')
  async run(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.recordTypeNamed(name, request);
    const sent = sentFile(request);
    if ('faults' in sent) return this.askPage(recordType, request, sent);
    // Claimed in a transaction of its own: the batches of an import are committed one after the other.
    await this.forms.runOnce(request.form, () => Promise.resolve());
    try {
      const again = request.form.has('again');
      const report = await this.imports.import(recordType, importFileOf(sent), { again });
      // What is not kept is removed only after a question, which the page of the import leads to.
      const { remove, restore } = this.scope.actionsOf(recordType, request);
      const event = report.run && (await this.undoing.entry(recordType, report.run));
      const view = event === undefined ? undefined : `/admin/audit/${event}`;
      const notice = { ...noticeOf(recordType, report, remove && restore), view };
      return seeOther(listPath(recordType), { notice });
    } catch (error) {
      return this.previewPage(recordType, request, sent, formFaults(error));
    }
  }

  /** Downloads the rows of the previewed file that would be refused, with the reasons. */
  @Post(':kind/import/refused')
  @HttpCode(200)
  refused(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): ConsolePage | StreamableFile {
    const recordType = this.recordTypeNamed(name, request);
    const sent = sentFile(request);
    if ('faults' in sent) return this.askPage(recordType, request, sent);
    const file = importFileOf(sent);
    response.set(downloadHeaders(`${recordType.name}-refused`, sent.format));
    return new StreamableFile(this.refusedRows.read(recordType, file));
  }

  private recordTypeNamed(name: string, request: ConsoleRequest): AdminRecords {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'create');
    return recordType;
  }

  private askPage(recordType: AdminRecords, request: ConsoleRequest, refused?: FormFaults): ConsolePage {
    return page('/records/import/ask', {
      title: `Import ${manyOf(recordType)}`,
      trail: [lastList(recordType, request)],
      status: refused?.status ?? 200,
      data: {
        recordType,
        path: importPath(recordType),
        cancelPath: lastList(recordType, request).path,
        format: (request.storedForm ?? request.form).get('format') ?? '',
        maxMebibytes: MAX_MEBIBYTES,
        faults: refused?.faults ?? {},
      },
    });
  }

  private async previewPage(
    recordType: AdminRecords,
    request: ConsoleRequest,
    chosen: UploadedFile,
    refused?: FormFaults,
  ): Promise<ConsolePage> {
    let preview: Preview;
    try {
      preview = await this.rehearse(recordType, importFileOf(chosen));
    } catch (error) {
      const { status, faults } = formFaults(error);
      return this.askPage(recordType, request, { status, faults: { file: faults[''] ?? '' } });
    }
    const { report, earlier } = preview;
    return page('/records/import/preview', {
      title: `Import ${chosen.name}`,
      trail: [
        lastList(recordType, request),
        { title: `Import ${manyOf(recordType)}`, path: importPath(recordType) },
      ],
      status: refused?.status ?? 200,
      data: {
        ...{ report, earlier, refused: preview.refused },
        warnings: report.emptyTexts.map(emptyTextInWords),
        added:
          report.done < report.rows
            ? `the ${manyOf(recordType)} that can be added`
            : countText(recordType, report.imported),
        file: { name: chosen.name, format: chosen.format, content: chosen.bytes.toString('base64') },
        runPath: `${importPath(recordType)}/run`,
        refusedPath: `${importPath(recordType)}/refused`,
        path: importPath(recordType),
        faults: refused?.faults ?? {},
      },
    });
  }

  /** Runs the import without keeping anything, up to the batch in which too many rows are refused. */
  private async rehearse(recordType: AdminRecords, file: ImportFile): Promise<Preview> {
    const refused: Refusal[] = [];
    const end = new AbortController();
    let count = 0;
    const report = await this.imports.import(recordType, file, {
      dryRun: true,
      signal: end.signal,
      onBatch: (_done, some) => {
        refused.push(...some.slice(0, SHOWN - refused.length));
        count += some.length;
        if (count >= ENOUGH_REFUSED) end.abort();
      },
    });
    return { report, refused, earlier: await this.imports.lastImport(recordType, file) };
  }
}

function noticeOf(
  recordType: AdminRecords,
  { run, imported, refused, resumedAt }: ImportReport,
  canUndo: boolean,
) {
  const added = `${countText(recordType, imported)} ${imported === 1 ? 'was' : 'were'} added`;
  const before = resumedAt > 0 ? ', some of them by an interrupted import' : '';
  const left = refused > 0 ? ` ${rowsInWords(refused)} ${refused === 1 ? 'was' : 'were'} refused.` : '';
  const undo = canUndo && run !== undefined && imported > 0 ? importUndoPath(recordType, run) : undefined;
  return { tone: refused > 0 ? 'warning' : 'success', text: `${added}${before}.${left}`, undo } as const;
}
