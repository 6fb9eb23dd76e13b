import { parseArgs } from 'node:util';
import { logging } from '@angular-devkit/core';
import { NodeWorkflow } from '@angular-devkit/schematics/tools/index.js';
import { lastValueFrom } from 'rxjs';
import { readFeatureName } from './feature/names.ts';
import { Refusal } from './refusal.ts';

const USAGE =
  'Usage: npm run generate -- feature <name> --fields "<fields>" [--operations <operations>] [--dry-run]';

const HELP = `${USAGE}

Adds a feature: its folder in src, its migration and its line in src/features.ts.

  <name>        what it is called, in singular or plural: orders, status-changes
  --fields      name:type, separated by spaces; name:type? is optional. The types are string, integer, int64, number,
                boolean, date, date-time, uuid, enum(a|b|c) and ref(<feature>)
  --operations  what clients are served, some of list,create,get,update,delete; all of them when left out
  --dry-run     shows the files and writes nothing

Examples:
  npm run generate -- feature categories --fields "name:string"
  npm run generate -- feature orders --fields "petId:ref(pets) quantity:integer status:enum(placed|approved)?"
  npm run generate -- feature visits --fields "at:date-time" --operations list,create --dry-run
`;

/** What the command line asks for. */
interface Request {
  readonly name: string;
  readonly fields: string | undefined;
  readonly operations: string | undefined;
  readonly dryRun: boolean;
}

/** Why the command line cannot be understood. */
class WrongUsage extends Error {}

/** Runs the command line and gives its exit code: 0 done, 1 refused, 2 wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const request = readRequest(args);
    process.stdout.write(request ? await generate(request) : HELP);
    return 0;
  } catch (error) {
    if (error instanceof WrongUsage) {
      process.stderr.write(`${error.message}\n${USAGE}\n`);
      return 2;
    }
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** @returns undefined when help is asked for */
function readRequest(args: readonly string[]): Request | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [schematic, name, ...others] = positionals;
  if (schematic === undefined) throw new WrongUsage('What is to be generated is missing.');
  if (schematic !== 'feature') throw new WrongUsage(`There is no ${JSON.stringify(schematic)} to generate.`);
  if (name === undefined) throw new WrongUsage('The name of the feature is missing.');
  if (others.length > 0)
    throw new WrongUsage(`${JSON.stringify(others[0])} is too much: fields need --fields.`);
  return { name, fields: values.fields, operations: values.operations, dryRun: values['dry-run'] };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        fields: { type: 'string' },
        operations: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

/**
 * Runs the schematic in the working directory.
 *
 * @returns what was done
 * @throws Refusal
 */
async function generate({ name, fields, operations, dryRun }: Request): Promise<string> {
  const workflow = new NodeWorkflow(process.cwd(), { dryRun });
  const changes: string[] = [];
  workflow.reporter.subscribe(({ kind, path }) => changes.push(`${kind.toUpperCase()} ${path.slice(1)}`));
  const logger = new logging.Logger('generate');
  const remarks: string[] = [];
  logger.subscribe(({ message }) => remarks.push(message));

  const options = { name, path: fields, operations };
  const execution = workflow.execute({
    collection: import.meta.dirname,
    schematic: 'feature',
    options,
    logger,
  });
  await lastValueFrom(execution, { defaultValue: undefined });
  if (dryRun) remarks.push('Dry run: nothing was written.');
  else if (changes.length > 0) remarks.push(nextSteps(readFeatureName(name).plural.kebab));
  return `${[...changes, ...remarks].join('\n')}\n`;
}

function nextSteps(folder: string): string {
  return `Next: npm run openapi, npm run types, npm test -- src/${folder}`;
}

process.exitCode = await main(process.argv.slice(2));
