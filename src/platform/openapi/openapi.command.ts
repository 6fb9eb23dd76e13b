import { type Command, Option } from 'commander';
import { petstore } from '../config/called-as';
import type { Cli, CommandGroup } from '../cli/cli';
import { readText } from '../cli/option-values';

interface ExportOptions {
  readonly format: 'json' | 'yaml';
  readonly output?: string;
}

/** Renders the document of this version and these settings. Loads the service, which other commands do not need. */
type RenderDocument = () => Promise<string>;

/** `petstore openapi`: the document of the public interface. Needs no database. */
export function openapiCommands(renderDocument: RenderDocument): CommandGroup {
  return (program, cli) => addOpenapiCommands(program, cli, renderDocument);
}

function addOpenapiCommands(program: Command, cli: Cli, renderDocument: RenderDocument): void {
  const openapi = program
    .command('openapi')
    .description('export the OpenAPI document')
    .addHelpText('after', `\nExample:\n  ${petstore()} openapi export --output openapi.json`);

  openapi
    .command('export')
    .description('print the document that the service serves with these settings; needs no database')
    .addOption(
      new Option('--format <format>', 'format of the document').choices(['json', 'yaml']).default('json'),
    )
    .option('--output <file>', 'write to this new file (default: standard output)', readText)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} openapi export | jq .paths\n  ${petstore()} openapi export --format yaml --output openapi.yaml`,
    )
    .action(async ({ format, output }: ExportOptions) => {
      const json = await renderDocument();
      const text = format === 'json' ? json : await asYaml(json);
      if (output === undefined) return cli.output.text(text);
      await cli.output.stream([text], output);
      cli.output.message(`The document was written to ${output}.`);
    });
}

/** Converts the document to YAML, as the service serves it. */
async function asYaml(json: string): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 0 });
}
