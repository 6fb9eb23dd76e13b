import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { CommandError, UsageError } from '../../../platform/cli/command-error';
import { interruptible } from '../../../platform/cli/interruption';
import { NewFile } from '../../../platform/cli/new-file';
import { readText } from '../../../platform/cli/option-values';
import { actionsOffered } from '../record-actions';
import { emptyTextInWords } from '../transfer/empty-texts';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../transfer/formats';
import { ImportFile } from '../transfer/import-file';
import { type ImportReport, ImportService } from '../transfer/import.service';
import { ImportLedger } from '../transfer/import-ledger.repository';
import type { Refusal } from '../transfer/refusals';
import { rowsInWords } from '../transfer/rows-in-words';
import { AlreadyImportedError } from '../transfer/transfer.errors';
import { withRecords } from './with-records';

/** Most refused rows that are shown on standard error. */
const SHOWN = 20;

interface ShownReport extends ImportReport {
  /** Refused rows that standard error has named. */
  readonly shown: number;
  /** False if there were more refused rows than are kept for a file of them. */
  readonly isWhole: boolean;
}

/** The files of an import, and what ends it. */
interface ImportFiles {
  readonly file: ImportFile;
  /** The file of refused rows. */
  readonly rejects: NewFile | undefined;
  readonly signal: AbortSignal;
}

interface ImportCommandOptions {
  readonly format?: ImportFormat;
  readonly dryRun?: boolean;
  readonly rejects?: string;
  readonly again?: boolean;
  readonly json?: true;
}

/** `petstore <kind> import` */
export function addImportCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name } = recordType;
  group
    .command('import')
    .description(
      `add the rows of a CSV or NDJSON file to the ${name}; a repeated import continues where it stopped`,
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'format of the file (default: by its name)').choices(IMPORT_FORMATS),
    )
    .option('--dry-run', 'validate without saving')
    .option(
      '--rejects <file>',
      'write refused rows to this new file, in the format of the imported one, ready to be corrected',
      readText,
    )
    .option('--again', 'import a file again that was imported before')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} ${name} import ${name}.csv --dry-run\n  ${petstore()} ${name} import ${name}.csv --rejects refused.csv\n  ${petstore()} ${name} import - --format ndjson < ${name}.ndjson`,
    )
    .action(async (path: string, options: ImportCommandOptions) => {
      const format = formatFor(path, options);
      await assertOther(path, format, options.rejects);
      const report = await interruptible((signal) =>
        withFile(path, format, signal, (file) =>
          withRejects(options, (rejects) => importFile(cli, recordType, { file, rejects, signal }, options)),
        ),
      );
      if (options.json) cli.output.json(reportJson(report, options));
      cli.output.message(inWords(report, options));
      for (const each of report.emptyTexts) cli.output.message(emptyTextInWords(each));
      const { run, imported } = report;
      if (run !== undefined && imported > 0 && actionsOffered(recordType).remove)
        cli.output.message(`To undo: ${petstore()} ${name} undo-import ${run}`);
      if (report.done < report.rows) {
        throw new CommandError('Interrupted: run the same command again to continue.');
      }
      if (report.refused > 0) throw new CommandError(refusedInWords(report, options));
    });
}

async function importFile(
  cli: Cli,
  recordType: AdminRecords,
  { file, rejects, signal }: ImportFiles,
  { dryRun = false, again = false }: ImportCommandOptions,
): Promise<ShownReport> {
  const bar = await cli.output.progress(`${dryRun ? 'Trying' : 'Adding'} ${recordType.name}`);
  let shown = 0;
  const show = ({ line, reason }: Refusal) => {
    if (shown++ < SHOWN) cli.output.message(`Line ${line}: ${reason}`);
  };
  try {
    return await withRecords(cli, async (_records, app) => {
      const report = await app.get(ImportService, { strict: false }).import(recordType, file, {
        ...{ dryRun, again, signal },
        onBegin: (rows, done) => {
          if (done > 0)
            cli.output.message(
              `${rowsInWords(done)} ${wasOrWere(done)} imported before. The import continues after them.`,
            );
          bar.start(rows, done);
        },
        onBatch: async (done, refused, text) => {
          bar.update(done);
          if (!rejects) refused.forEach(show);
          else if (dryRun) await rejects.write([text]);
        },
      });
      const { run, done, rows, refused } = report;
      const ledger = app.get(ImportLedger, { strict: false });
      if (rejects && refused > 0 && done === rows) {
        if (run !== undefined) await rejects.write(ledger.refused(run));
        await rejects.complete();
      }
      const isWhole = run === undefined || (await ledger.keepsRefused(run));
      return { ...report, isWhole, shown: Math.min(shown, SHOWN) };
    });
  } catch (error) {
    if (!(error instanceof AlreadyImportedError)) throw error;
    throw new AlreadyImportedError(`${error.message} Add --again to import the file again.`);
  } finally {
    bar.stop();
  }
}

async function withFile<T>(
  path: string,
  format: ImportFormat,
  signal: AbortSignal,
  work: (file: ImportFile) => Promise<T>,
): Promise<T> {
  const file = await openFile(path, format, signal);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function withRejects<T>(
  { rejects: path }: ImportCommandOptions,
  work: (rejects: NewFile | undefined) => Promise<T>,
): Promise<T> {
  const rejects = path === undefined ? undefined : await NewFile.begin(path);
  try {
    return await work(rejects);
  } finally {
    await rejects?.discard();
  }
}

/** Opens the file to import. @throws CommandError */
async function openFile(path: string, format: ImportFormat, signal: AbortSignal): Promise<ImportFile> {
  try {
    if (path === '-') return await ImportFile.openStream(process.stdin, 'standard input', format, signal);
    if ((await stat(path)).isFile()) return await ImportFile.open(path, basename(path), format);
    return await ImportFile.openStream(createReadStream(path), path, format, signal);
  } catch (error) {
    if (signal.aborted) throw new CommandError('Interrupted: nothing was imported.');
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall ? new CommandError(`${path} cannot be read: ${message}.`) : error;
  }
}

/** @throws UsageError when the refused rows would be written into the imported file, or into one of another format by its name */
async function assertOther(path: string, format: ImportFormat, rejects: string | undefined): Promise<void> {
  if (rejects === undefined) return;
  if ((formatOf(rejects) ?? format) !== format)
    throw new UsageError(`The refused rows are ${format}, as the file is: let ${rejects} end in .${format}.`);
  const [imported, other] = await Promise.all(
    [path === '-' ? '/dev/stdin' : path, rejects].map((each) => stat(each).catch(() => undefined)),
  );
  if (!imported?.isFile() || imported.dev !== other?.dev || imported.ino !== other.ino) return;
  throw new UsageError(`${rejects} is the file to import; choose another for the refused rows.`);
}

/** @throws UsageError */
function formatFor(path: string, { format }: ImportCommandOptions): ImportFormat {
  const named = format ?? formatOf(path);
  if (named === 'csv' || named === 'ndjson') return named;
  throw new UsageError(`The format of ${path} is unknown: add --format csv or --format ndjson.`);
}

function reportJson(report: ImportReport, { dryRun = false }: ImportCommandOptions): object {
  const { run, rows, done, resumedAt, imported, refused, emptyTexts } = report;
  return { run: run ?? null, dryRun, rows, done, resumedAt, imported, refused, emptyTexts };
}

function inWords({ done, rows, imported, refused }: ImportReport, { dryRun }: ImportCommandOptions): string {
  const would = dryRun ? 'would be imported' : 'imported';
  const of = done < rows ? `${amount(done)} of ` : '';
  const empty = done - imported - refused;
  const left = empty > 0 ? `, ${amount(empty)} empty` : '';
  return `${of}${rowsInWords(rows)}: ${amount(imported)} ${would}, ${amount(refused)} refused${left}.`;
}

function refusedInWords(report: ShownReport, { rejects }: ImportCommandOptions): string {
  const { refused, shown, isWhole } = report;
  const [rows, are] = refused === 1 ? ['row', 'is'] : ['rows', 'are'];
  if (rejects !== undefined && !isWhole)
    return `The first of the refused ${rows} are in ${rejects}, with the reason; --dry-run --rejects <file> writes all refused rows.`;
  if (rejects !== undefined) return `The refused ${rows} ${are} in ${rejects}, with the reason.`;
  return shown < refused
    ? `${shown} of the ${amount(refused)} refused rows are listed above; --dry-run --rejects <file> writes all refused rows.`
    : `The refused ${rows} ${are} listed above.`;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function amount(count: number): string {
  return count.toLocaleString('en');
}
