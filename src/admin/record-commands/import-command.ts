import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { AdminRecords } from '../../platform/admin/admin-records';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, UsageError } from '../../platform/cli/command-error';
import { interruptible } from '../../platform/cli/interruption';
import { readText } from '../../platform/cli/option-values';
import { ProgressBar } from '../../platform/cli/progress-bar';
import { formatOf, IMPORT_FORMATS, type ImportFormat } from '../transfer/formats';
import { ImportFile } from '../transfer/import-file';
import { type ImportReport, ImportService } from '../transfer/import.service';
import type { Refusal } from '../transfer/refusals';
import { withRecords } from './with-records';

/** Most refused rows that are told of on standard error. */
const SHOWN = 20;

interface ImportCommandOptions {
  readonly format?: ImportFormat;
  readonly dryRun?: boolean;
  readonly rejects?: string;
  readonly again?: boolean;
  readonly json?: true;
}

/** `petstore <kind> import` */
export function addImportCommand(group: Command, kind: AdminRecords, cli: Cli): void {
  const { name } = kind;
  group
    .command('import')
    .description(`add the rows of a CSV or NDJSON file to the ${name}; run again, it goes on where it was`)
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'of the file (default: what its name ends with)').choices(
        IMPORT_FORMATS,
      ),
    )
    .option('--dry-run', 'do everything but keep it')
    .option('--rejects <file>', 'write refused rows there, one JSON object a line', readText)
    .option('--again', 'import once more what was imported')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  petstore ${name} import ${name}.csv --dry-run\n  petstore ${name} import ${name}.csv --rejects refused.ndjson\n  petstore ${name} import - --format ndjson < ${name}.ndjson`,
    )
    .action(async (path: string, options: ImportCommandOptions) => {
      const format = formatFor(path, options);
      const report = await interruptible((signal) =>
        withFile(path, format, signal, (file) => importFile(cli, kind, file, signal, options)),
      );
      if (options.json) cli.output.json(reportJson(report, options));
      cli.output.message(inWords(report, options));
      if (report.done < report.rows) {
        throw new CommandError('Interrupted: run the same command again to go on.');
      }
      if (report.refused > 0) throw new CommandError(refusedInWords(report, options));
    });
}

async function importFile(
  cli: Cli,
  kind: AdminRecords,
  file: ImportFile,
  signal: AbortSignal,
  { dryRun = false, rejects, again = false }: ImportCommandOptions,
): Promise<ImportReport> {
  const bar = new ProgressBar(cli.output, dryRun ? `Trying ${kind.name}` : `Adding ${kind.name}`);
  let shown = 0;
  const tell = ({ line, reason }: Refusal) => {
    if (shown++ < SHOWN) cli.output.message(`Line ${line}: ${reason}`);
  };
  try {
    return await withRecords(cli, (_records, app) =>
      app.get(ImportService, { strict: false }).import(kind, file, {
        ...{ dryRun, again, rejects, signal },
        onBegin: (rows, done) => {
          if (done > 0) cli.output.message(`${amount(done)} rows were done before; going on behind them.`);
          bar.start(rows, done);
        },
        onBatch: (done, refused) => {
          if (rejects === undefined) refused.forEach(tell);
          bar.update(done);
        },
      }),
    );
  } finally {
    bar.stop();
  }
}

/**
 * Opens what is to be imported; what is no file is put into a temporary one first, for it is read twice.
 *
 * @throws CommandError
 */
async function withFile<T>(
  path: string,
  format: ImportFormat,
  signal: AbortSignal,
  work: (file: ImportFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
  let file: ImportFile | undefined;
  try {
    file = await openFile(path, format, join(folder, 'input'), signal);
    return await work(file);
  } finally {
    await file?.close();
    await rm(folder, { recursive: true });
  }
}

/** @param spool where to put what is no file */
async function openFile(
  path: string,
  format: ImportFormat,
  spool: string,
  signal: AbortSignal,
): Promise<ImportFile> {
  try {
    if (path !== '-' && (await stat(path)).isFile()) {
      return await ImportFile.open(path, basename(path), format);
    }
    const source = path === '-' ? process.stdin : createReadStream(path);
    await pipeline(source, createWriteStream(spool, { mode: 0o600 }), { signal });
    return await ImportFile.open(spool, path === '-' ? 'standard input' : path, format);
  } catch (error) {
    if (signal.aborted) throw new CommandError('Interrupted: nothing was imported.');
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall ? new CommandError(`${path} cannot be read: ${message}.`) : error;
  }
}

/** @throws UsageError */
function formatFor(path: string, { format }: ImportCommandOptions): ImportFormat {
  const named = format ?? formatOf(path);
  if (named === 'csv' || named === 'ndjson') return named;
  throw new UsageError(`${path} does not tell what it is: say it with --format csv or --format ndjson.`);
}

function reportJson(report: ImportReport, { dryRun = false }: ImportCommandOptions): object {
  const { run, rows, done, resumedAt, imported, refused } = report;
  return { run: run ?? null, dryRun, rows, done, resumedAt, imported, refused };
}

function inWords({ done, rows, imported, refused }: ImportReport, { dryRun }: ImportCommandOptions): string {
  const would = dryRun ? 'would be imported' : 'imported';
  const of = done < rows ? `${amount(done)} of ${amount(rows)}` : amount(rows);
  return `${of} rows: ${amount(imported)} ${would}, ${amount(refused)} refused.`;
}

function refusedInWords({ refused }: ImportReport, { rejects }: ImportCommandOptions): string {
  if (rejects !== undefined) return `The refused rows, and why, are in ${rejects}.`;
  return refused > SHOWN
    ? `Of the refused rows, ${SHOWN} are told of at most; --rejects <file> writes all of them.`
    : 'The refused rows are named above.';
}

function amount(count: number): string {
  return count.toLocaleString('en');
}
