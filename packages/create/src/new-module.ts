import { parseArgs } from 'node:util';
import { newModule } from './new-module/new-module.ts';
import { Refusal } from './refusal.ts';

const USAGE =
  'Usage: npm run new-module -- <name> --fields "<fields>" --package <package> --folder <folder> [--plural <name>] [--operations <operations>] [--dry-run]';

const HELP = `${USAGE}

Writes a repository with a module of the service: the files that "npm run generate -- feature" writes here, built against @petstore/platform.

  <name>        name of the feature, in singular or plural: coupons, gift-cards
  --fields      as for npm run generate
  --package     name of the package: @acme/petstore-coupons
  --folder      folder to write to, which must be empty or not exist
  --plural      the plural of the name, if it is irregular
  --operations  operations for clients, some of list,create,get,update,delete (default: all)
  --dry-run     shows the files and writes nothing

Example:
  npm run new-module -- coupons --fields "code:string percent:integer" --package @acme/petstore-coupons --folder ../petstore-coupons
`;

/** The reason why the command line cannot be understood. */
class WrongUsage extends Error {}

/** Runs the command line and returns its exit code: 0 done, 1 refused, 2 wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const request = readRequest(args);
    process.stdout.write(request ? await newModule(request) : HELP);
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

/** @returns undefined if help is asked for */
function readRequest(args: readonly string[]) {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [name, ...others] = positionals;
  if (name === undefined) throw new WrongUsage('The name of the feature is missing.');
  if (others.length > 0) {
    throw new WrongUsage(`${JSON.stringify(others[0])} is one argument too many: give fields with --fields.`);
  }
  const { fields, plural, operations, package: packageName, folder } = values;
  if (packageName === undefined) throw new WrongUsage('--package is missing.');
  if (folder === undefined) throw new WrongUsage('--folder is missing.');
  return { name, fields, plural, operations, packageName, folder, dryRun: values['dry-run'] };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        fields: { type: 'string' },
        plural: { type: 'string' },
        operations: { type: 'string' },
        package: { type: 'string' },
        folder: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

process.exitCode = await main(process.argv.slice(2));
