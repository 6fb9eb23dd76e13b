import { type Command, Option } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { readText } from '../../../platform/cli/option-values';
import { ExportService } from '../transfer/export.service';
import { EXPORT_FORMATS, type ExportFormat, formatOf } from '../transfer/formats';
import type { OptionValues } from './field-options';
import {
  addFilterOptions,
  addOrderOptions,
  addRemovedOption,
  FILTER_HELP,
  readListOptions,
} from './filter-options';
import { withRecords } from './with-records';

interface ExportOptions extends OptionValues {
  readonly format?: ExportFormat;
  readonly output?: string;
  readonly json?: true;
}

/** `petstore <kind> export` */
export function addExportCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name } = recordType;
  const command = group.command('export').description(`write ${name} as CSV, NDJSON or JSON`);
  addFilterOptions(command, recordType);
  addRemovedOption(command, recordType);
  addOrderOptions(command)
    .addOption(
      new Option(
        '--format <format>',
        'format of the output (default: by the name of --output, or csv); spreadsheet is CSV with a byte order mark',
      ).choices(EXPORT_FORMATS),
    )
    .option(
      '--output <file>',
      'new file to write, which appears when complete (default: standard output)',
      readText,
    )
    .option(JSON_OPTION[0], 'the same as --format json')
    .addHelpText(
      'after',
      `\n${FILTER_HELP}\n\nExamples:\n  ${petstore()} ${name} export --output ${name}.csv\n  ${petstore()} ${name} export --format spreadsheet --output ${name}.csv\n  ${petstore()} ${name} export --from 2026-01-01 --format ndjson | gzip > ${name}.ndjson.gz`,
    )
    .action(async (options: ExportOptions) => {
      const { output } = options;
      const format = options.format ?? (options.json && 'json') ?? formatOf(output ?? '') ?? 'csv';
      await withRecords(cli, async (records, app) => {
        const list = readListOptions(records, recordType, options);
        const read = (onPage?: (written: number) => void) =>
          app.get(ExportService, { strict: false }).read(recordType, format, list, onPage);
        // A bar would disturb data on the terminal, or a program that shows them there.
        if (output === undefined) return cli.output.stream(read());
        const bar = await cli.output.progress(`Writing ${name}`);
        let count = 0;
        bar.start(undefined, 0);
        try {
          const texts = read((written) => bar.update((count = written)));
          await cli.output.stream(texts, output);
        } finally {
          bar.stop();
        }
        cli.output.message(
          `${count === 1 ? `1 ${recordType.one} was` : `${count.toLocaleString('en')} ${name} were`} written to ${output}.`,
        );
      });
    });
}
