import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The reason why the command line cannot be understood. */
export class WrongUsage extends Error {}

/** The parsed command line. */
export interface Request {
  /** Name of a schematic in `collection.json`. */
  readonly schematic: string;
  /** Options of the schematic; see its `schema.json`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  /** Folder of a module's own repository to change; undefined for this project. */
  readonly folder: string | undefined;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** A command of the generator. */
interface Command {
  /** Arguments after its name, in each of the accepted forms. */
  readonly usages: readonly string[];
  /** Description in one or two sentences. */
  readonly about: string;
  readonly examples: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  /** Reads the options of the schematic from the words after its name. @throws WrongUsage */
  read(words: readonly string[], values: Values): Readonly<Record<string, unknown>>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  feature: {
    usages: [
      '<name> --fields "<fields>" [--parent <module>] [--plural <name>] [--operations <operations>] [--owned] [--record]',
    ],
    about: 'Adds a feature: its folder in src, its migration and its line in src/features.ts.',
    examples: [
      'categories --fields "name:string"',
      `products --fields "sku:string(pattern='^[A-Z]{3}$',unique) stock:integer(min=0,default=0)"`,
      'orders --fields "petId:ref(pets) quantity:integer status:enum(placed|approved)?"',
      'articles --fields "title:string(max=80) tags:string(max=30,max-items=20)[]"',
      'orders --fields "customer:string lines:object(petId:ref(pets),quantity:integer(min=1))[]"',
      'visits --fields "at:date-time" --operations list,create --dry-run',
      'notes --fields "text:string(max=500)" --owned',
      'vaccination-records --parent pets --fields "vaccine:string at:date"',
    ],
    options: {
      fields: { type: 'string' },
      operations: { type: 'string' },
      owned: { type: 'boolean' },
      parent: { type: 'string' },
      plural: { type: 'string' },
      record: { type: 'boolean' },
    },
    read: ([name, ...others], { fields, operations, owned, parent, plural, record }) => {
      if (name === undefined) throw new WrongUsage('The name of the feature is missing.');
      refuseOthers(others, 'give fields with --fields');
      return { name, path: fields, operations, owned, parent, plural, record };
    },
  },
  update: {
    usages: ['<module>', '--all'],
    about: 'Merges the changes of the templates into a feature that was generated and edited, as git merges.',
    examples: ['orders'],
    options: { all: { type: 'boolean' } },
    read: ([name, ...others], { all, 'dry-run': dryRun }) => {
      if (name === undefined && all !== true) throw new WrongUsage('The name of the feature is missing.');
      if (name !== undefined && all === true)
        throw new WrongUsage('Name one feature or give --all, not both.');
      refuseOthers(others);
      return { name, dryRun };
    },
  },
  page: {
    usages: ['<module> <page>'],
    about: 'Adds a page of the console to a module: its controller, its form, its template and a test.',
    examples: ['orders dispatch'],
    options: {},
    read: ([name, page, ...others]) => {
      if (name === undefined) throw new WrongUsage('The name of the module is missing.');
      if (page === undefined) throw new WrongUsage('The name of the page is missing.');
      refuseOthers(others);
      return { name, path: page };
    },
  },
  migration: {
    usages: ['<what it does>'],
    about: 'Adds a migration that gives the tables what the entities declare, on both engines.',
    examples: ['index-name-of-suppliers'],
    options: {},
    read: ([name, ...others]) => {
      if (name === undefined)
        throw new WrongUsage('The name of the migration is missing, as in index-name-of-suppliers.');
      refuseOthers(others, 'join the words of the name by hyphens');
      return { name };
    },
  },
};

const LINE = 'npm run generate --';

export const USAGE = Object.entries(COMMANDS)
  .flatMap(([name, { usages }]) => usages.map((usage) => `${LINE} ${name} ${usage} [--dry-run]`))
  .map((usage, index) => `${index === 0 ? 'Usage:' : '      '} ${usage}`)
  .join('\n');

export const HELP = `${USAGE}

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
  .join('\n')}

  <name>        name of the feature, in singular or plural: orders, status-changes
  <module>      name of an existing feature, in singular or plural
  <fields>      name:type, separated by spaces; name:type? is optional. The types are string, integer, int64, number,
                decimal(10,2), boolean, date, date-time, uuid, enum(a|b|c), ref(<feature>) and refs(<feature>), an array.
                In parentheses: min, max, pattern, default, unique, create-only, read-only, personal, description and
                example, as in sku:string(max=20,unique)
  --parent      the module whose records each have such a collection: /pets/{petId}/vaccination-records
  --plural      the plural of the name, if it is irregular: --plural welcome-mails
  --operations  operations for clients, some of list,create,get,update,delete (default: all)
  --record      only writes the record that updates start from, for a feature that was generated without one
  --all         updates every feature that has a record
  --folder      the repository of a module, as npm run new-module writes it: ../petstore-coupons
  --dry-run     shows the files and writes nothing

Exit codes: 0 done, or already there; 1 refused, and nothing was written; 2 the command line cannot be understood;
3 written, but something is left to do by hand, which it shows: lines to insert, conflicts to resolve.

Examples:
${Object.entries(COMMANDS)
  .flatMap(([name, { examples }]) => examples.map((example) => `  ${LINE} ${name} ${example}\n`))
  .join('')}`;

/**
 * Reads the command line.
 *
 * @returns undefined when help is asked for
 * @throws WrongUsage
 */
export function readRequest(args: readonly string[]): Request | undefined {
  const { values, positionals } = parse(args);
  if (values['help'] === true) return undefined;
  const [schematic, ...words] = positionals;
  if (schematic === undefined) throw new WrongUsage('Say what to generate.');
  const command = Object.hasOwn(COMMANDS, schematic) ? COMMANDS[schematic] : undefined;
  if (!command) throw new WrongUsage(`${JSON.stringify(schematic)} cannot be generated.`);
  const { 'dry-run': dryRun, folder, help: _help, ...own } = values;
  const foreign = Object.keys(own).find((name) => !(name in command.options));
  if (foreign !== undefined) throw new WrongUsage(`${schematic} does not take --${foreign}.`);
  return {
    schematic,
    options: command.read(words, values),
    dryRun: dryRun === true,
    folder: typeof folder === 'string' ? folder : undefined,
  };
}

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    const options = Object.assign({}, ...Object.values(COMMANDS).map((command) => command.options), {
      'dry-run': { type: 'boolean' },
      folder: { type: 'string' },
      help: { type: 'boolean' },
    }) as ParseArgsOptionsConfig;
    return parseArgs({ args: [...args], allowPositionals: true, options }) as ReturnType<typeof parse>;
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

function refuseOthers([first]: readonly string[], advice?: string): void {
  if (first === undefined) return;
  throw new WrongUsage(
    `${JSON.stringify(first)} is one argument too many${advice === undefined ? '' : `: ${advice}`}.`,
  );
}
