import { parseArgs } from 'node:util';
import { logging } from '@angular-devkit/core';
import { NodeWorkflow } from '@angular-devkit/schematics/tools/index.js';
import { lastValueFrom } from 'rxjs';
import { inflect } from './feature/names.ts';
import { spell, wordsOf } from './feature/spelling.ts';
import { Refusal } from './refusal.ts';

const USAGE = `Usage: npm run generate -- feature <name> --fields "<fields>" [--plural <name>] [--operations <operations>] [--record] [--dry-run]
       npm run generate -- update <name> [--dry-run]
       npm run generate -- update --all [--dry-run]`;

const HELP = `${USAGE}

feature adds a feature: its folder in src, its migration and its line in src/features.ts.
update merges what the templates write by now into a feature that was generated and edited, as git merges; it ends with 3 when
it has marked conflicts, and with 1 when it is refused and nothing was written.

  <name>        what it is called, in singular or plural: orders, status-changes
  --fields      name:type, separated by spaces; name:type? is optional. The types are string, integer, int64, number,
                decimal(10,2), boolean, date, date-time, uuid, enum(a|b|c) and ref(<feature>). In parentheses: min, max,
                pattern, default, unique, create-only, read-only, description and example, as in sku:string(max=20,unique)
  --plural      what all of them are called, where it is not what English has: --plural welcome-mails
  --operations  what clients are served, some of list,create,get,update,delete; all of them when left out
  --record      only writes the record that updates start from, for a feature that was generated without one
  --all         updates every feature that has a record
  --dry-run     shows the files and writes nothing

Examples:
  npm run generate -- feature categories --fields "name:string"
  npm run generate -- feature products --fields "sku:string(pattern='^[A-Z]{3}$',unique) stock:integer(min=0,default=0)"
  npm run generate -- feature orders --fields "petId:ref(pets) quantity:integer status:enum(placed|approved)?"
  npm run generate -- feature visits --fields "at:date-time" --operations list,create --dry-run
  npm run generate -- update orders
`;

/** What the command line asks for. */
interface Request {
  readonly schematic: 'feature' | 'update';
  /** As the schema of the schematic has them. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly dryRun: boolean;
  /** What is to be tested afterwards; undefined for all there is. */
  readonly name: string | undefined;
}

/** What was done. */
interface Outcome {
  readonly output: string;
  readonly hasConflicts: boolean;
}

/** Why the command line cannot be understood. */
class WrongUsage extends Error {}

/** Runs the command line and gives its exit code: 0 done, 1 refused, 2 wrong usage, 3 done but for conflicts. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const request = readRequest(args);
    const { output, hasConflicts } = request
      ? await generate(request)
      : { output: HELP, hasConflicts: false };
    process.stdout.write(output);
    return hasConflicts ? 3 : 0;
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
  if (schematic !== 'feature' && schematic !== 'update')
    throw new WrongUsage(`There is no ${JSON.stringify(schematic)} to generate.`);
  if (name === undefined && !values.all) throw new WrongUsage('The name of the feature is missing.');
  if (others.length > 0)
    throw new WrongUsage(`${JSON.stringify(others[0])} is too much: fields need --fields.`);
  const { 'dry-run': dryRun, all, fields: path, operations, plural, record } = values;
  if (schematic === 'feature') {
    if (all) throw new WrongUsage('--all is for updates.');
    return { schematic, options: { name, path, operations, plural, record }, dryRun, name };
  }
  if (all && name !== undefined) throw new WrongUsage('An update is of one feature or of all.');
  if (path !== undefined || operations !== undefined || plural !== undefined || record)
    throw new WrongUsage('An update takes its options from the record.');
  return { schematic, options: { name, dryRun }, dryRun, name };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        fields: { type: 'string' },
        operations: { type: 'string' },
        plural: { type: 'string' },
        record: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
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
async function generate({ schematic, options, dryRun, name }: Request): Promise<Outcome> {
  const workflow = new NodeWorkflow(process.cwd(), { dryRun });
  const changes: string[] = [];
  workflow.reporter.subscribe(({ kind, path }) => changes.push(`${kind.toUpperCase()} ${path.slice(1)}`));
  const logger = new logging.Logger('generate');
  const remarks: string[] = [];
  let hasConflicts = false;
  logger.subscribe(({ level, message }) => {
    remarks.push(message);
    hasConflicts ||= level === 'warn';
  });

  const execution = workflow.execute({ collection: import.meta.dirname, schematic, options, logger });
  await lastValueFrom(execution, { defaultValue: undefined });
  if (dryRun) remarks.push('Dry run: nothing was written.');
  else if (changes.length > 0 && !options['record'])
    remarks.push(nextSteps(name, options['plural'], hasConflicts));
  return { output: `${[...changes, ...remarks].join('\n')}\n`, hasConflicts };
}

function nextSteps(
  name: string | undefined,
  plural: string | boolean | undefined,
  hasConflicts: boolean,
): string {
  const decision = hasConflicts ? 'settle the conflicts, ' : '';
  const folder =
    typeof plural === 'string' ? spell(wordsOf(plural)).kebab : inflect(name ?? '')?.plural.kebab;
  const tests = name === undefined ? 'npm test' : `npm test -- src/${folder ?? name}`;
  return `Next: ${decision}npm run openapi, npm run types, ${tests}`;
}

process.exitCode = await main(process.argv.slice(2));
