import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Change } from '../../../packages/tools/src/openapi/change';
import { compareDocuments } from '../../../packages/tools/src/openapi/compare-documents';
import { InvalidDocumentError, OpenapiDocument } from '../../../packages/tools/src/openapi/document-node';
import { readDocument } from '../../../packages/tools/src/openapi/read-document';
import { type Cli, type CommandGroup, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, RefusedError } from '../../platform/cli/command-error';
import { readText } from '../../platform/cli/option-values';
import { onDocuments } from './on-documents';

interface ExportOptions {
  readonly format: 'json' | 'yaml';
  readonly output?: string;
}

/** Renders the document of this version and these settings. Loads the service, which comparing two documents does not need. */
type RenderDocument = () => Promise<string>;

/** `petstore openapi`: exports or compares documents of the public interface. Needs no database. */
export function openapiCommands(renderDocument: RenderDocument): CommandGroup {
  return (program, cli) => addOpenapiCommands(program, cli, renderDocument);
}

function addOpenapiCommands(program: Command, cli: Cli, renderDocument: RenderDocument): void {
  const openapi = program
    .command('openapi')
    .description('export the OpenAPI document, or compare two')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore openapi export --output openapi.json\n  petstore openapi diff openapi.json',
    );

  openapi
    .command('export')
    .description('print the document that the service serves with these settings; needs no database')
    .addOption(
      new Option('--format <format>', 'format of the document').choices(['json', 'yaml']).default('json'),
    )
    .option('--output <file>', 'write to this file (default: standard output)', readText)
    .addHelpText(
      'after',
      '\nExamples:\n  petstore openapi export | jq .paths\n  petstore openapi export --format yaml --output openapi.yaml',
    )
    .action(async ({ format, output }: ExportOptions) => {
      const json = await renderDocument();
      const text = format === 'json' ? json : await asYaml(json);
      if (output === undefined) return cli.output.text(text);
      try {
        writeFileSync(output, text);
      } catch (error) {
        throw new CommandError(`The file ${output} cannot be written: ${(error as Error).message}.`);
      }
      cli.output.message(`The document was written to ${output}.`);
    });

  openapi
    .command('diff')
    .description('list the changes between two documents that matter to clients, and which are breaking')
    .argument('<old-file>', 'the document clients know: a file or an http address')
    .argument('[new-file]', 'the document they get (default: the one of this version and these settings)')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
A change is breaking when a client that keeps to the old document may fail: something it sends is refused, or something it gets was not
possible before. Members and operations that are added break no client; texts and examples are not compared.
Exit codes: 0 nothing breaks, 4 something breaks, 2 a document cannot be read.

Examples:
  petstore openapi diff docs/openapi.json
  petstore openapi diff https://api.example.com/docs/openapi.json --json
  petstore openapi diff old.yaml new.yaml`,
    )
    .action(async (old: string, next: string | undefined, { json }: { json?: true }) => {
      const readNext = async () =>
        next === undefined ? new OpenapiDocument(JSON.parse(await renderDocument())) : readDocument(next);
      const changes = await onDocuments(async () => compare(await readDocument(old), await readNext()));
      const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
      if (json) cli.output.json({ breaking, nonBreaking: changes.length - breaking, changes });
      else {
        cli.output.table({
          header: ['SEVERITY', 'WHERE', 'WHAT'],
          rows: changes.map(({ severity, where, what }) => [severity, where, what]),
          whole: ['WHERE', 'WHAT'],
        });
      }
      if (breaking > 0) {
        throw new RefusedError(`${breaking} change${breaking === 1 ? ' breaks' : 's break'} clients.`);
      }
      cli.output.message(changes.length === 0 ? 'Nothing changes for clients.' : 'Nothing breaks clients.');
    });
}

function compare(before: OpenapiDocument, after: OpenapiDocument): Change[] {
  try {
    return compareDocuments(before, after);
  } catch (error) {
    throw error instanceof InvalidDocumentError
      ? new InvalidDocumentError(`The documents cannot be compared. ${error.message}`)
      : error;
  }
}

/** Converts the document to YAML, as the service serves it. */
async function asYaml(json: string): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 0 });
}
