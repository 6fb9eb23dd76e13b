import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { CommandError, UsageError } from '../../../platform/cli/command-error';
import { interruptible } from '../../../platform/cli/interruption';
import { readText } from '../../../platform/cli/option-values';
import { actionsOffered } from '../record-actions';
import { emptyTextInWords } from '../transfer/empty-texts';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../transfer/formats';
import { ImportFile } from '../transfer/import-file';
import { type ImportReport, ImportService } from '../transfer/import.service';
import type { Refusal } from '../transfer/refusals';
import { rowsInWords } from '../transfer/rows-in-words';
import { AlreadyImportedError } from '../transfer/transfer.errors';
import { withRecords } from './with-records';

/** Most refused rows that are shown on standard error. */
const SHOWN = 20;

interface ShownReport extends ImportReport {
  /** Refused rows that standard error has named. */
  readonly shown: number;
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
      'write refused rows to this new file: as CSV, ready to be corrected, if the name ends in .csv; else as lines of JSON',
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
      await assertOther(path, options.rejects);
      const report = await interruptible((signal) =>
        withFile(path, format, signal, (file) => importFile(cli, recordType, file, signal, options)),
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
  file: ImportFile,
  signal: AbortSignal,
  { dryRun = false, rejects, again = false }: ImportCommandOptions,
): Promise<ShownReport> {
  const bar = await cli.output.progress(`${dryRun ? 'Trying' : 'Adding'} ${recordType.name}`);
  let shown = 0;
  const show = ({ line, reason }: Refusal) => {
    if (shown++ < SHOWN) cli.output.message(`Line ${line}: ${reason}`);
  };
  try {
    const report = await withRecords(cli, (_records, app) =>
      app.get(ImportService, { strict: false }).import(recordType, file, {
        ...{ dryRun, again, rejects, signal },
        onBegin: (rows, done) => {
          if (done > 0)
            cli.output.message(
              `${rowsInWords(done)} ${wasOrWere(done)} imported before. The import continues after them.`,
            );
          bar.start(rows, done);
        },
        onBatch: (done, refused) => {
          bar.update(done);
          if (rejects === undefined) refused.forEach(show);
        },
      }),
    );
    return { ...report, shown: Math.min(shown, SHOWN) };
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

/** @throws UsageError when the refused rows would be written into the imported file */
async function assertOther(path: string, rejects: string | undefined): Promise<void> {
  if (rejects === undefined) return;
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
  const { refused, shown, resumedAt, rejectsLackEarlier } = report;
  const [rows, are] = refused === 1 ? ['row', 'is'] : ['rows', 'are'];
  if (rejects !== undefined && rejectsLackEarlier)
    return `Of the refused ${rows}, those after the first ${rowsInWords(resumedAt)} of the file are in ${rejects}, with the reason.`;
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
