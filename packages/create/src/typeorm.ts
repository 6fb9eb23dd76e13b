import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatted } from './text/format.ts';
import { MIGRATIONS, nextMigrationTime } from './text/migration-time.ts';
import { findDifference } from './migration/difference.ts';
import { BuiltService, configOf, dataSourceIn, refuse } from './migration/service.ts';
import { emptyMigration, migrationSource } from './migration/source.ts';
import { Refusal } from './refusal.ts';

const PROJECT = process.cwd();
const CONFIG = configOf(PROJECT);

/** TypeORM's commands that take a data source. */
const WITH_DATA_SOURCE = /^(query|(cache|migration|schema):.*)$/;

const require = createRequire(import.meta.url);

/**
 * Runs TypeORM's command line on the database of the settings, and returns its exit code unless TypeORM ends the process
 * itself. Migrations are written here: TypeORM's own are SQL for one engine.
 */
async function main(args: readonly string[]): Promise<number | undefined> {
  const command = args.find((each) => !each.startsWith('-')) ?? '';
  const isOurs = WITH_DATA_SOURCE.test(command) && !isTold(args);
  try {
    if (command === 'migration:create') return await create(args);
    if (isOurs) await new BuiltService(PROJECT).openOnce(command === 'migration:run');
    if (command === 'migration:generate') return await generate(args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  if (isOurs) process.argv.push('-d', CONFIG);
  require('typeorm/cli.js');
  return undefined;
}

/** True if the arguments name a data source. */
function isTold(args: readonly string[]): boolean {
  return args.some((each) => /^(-d|--dataSource)(=|$)/.test(each));
}

/** Reads TypeORM's options of the two commands, except those for JavaScript files. */
function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [command, path, ...others] = positionals;
  const folder = dirname(resolve(path ?? ''));
  const name = basename(path ?? '');
  if (others.length > 0 || relative(process.cwd(), folder) !== MIGRATIONS || !/^[a-z][\w-]*$/i.test(name)) {
    throw new Refusal(`Name a file in ${MIGRATIONS}: npm run typeorm -- ${command} ${MIGRATIONS}/AddShops`);
  }
  mkdirSync(folder, { recursive: true });
  const time = values.timestamp ?? `${nextMigrationTime(readdirSync(folder), Date.now())}`;
  if (!/^\d{13}$/.test(time)) throw new Refusal('A timestamp is a time in milliseconds, of 13 digits.');
  const className = name.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { ...values, file: join(folder, `${time}-${name}.ts`), className: `${className}${time}` };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dataSource: { type: 'string', short: 'd', default: CONFIG },
        timestamp: { type: 'string', short: 't' },
        dryrun: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        // The output is formatted in any case.
        pretty: { type: 'boolean', short: 'p', default: true },
      },
    });
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

async function create(args: readonly string[]): Promise<number> {
  const { file, className } = readArguments(args);
  return write(file, emptyMigration(className));
}

async function generate(args: readonly string[]): Promise<number> {
  const { dataSource: path, file, className, check, dryrun } = readArguments(args);
  const dataSource = dataSourceIn(resolve(path));
  await dataSource.initialize().catch(refuse);
  try {
    const difference = await findDifference(dataSource);
    if (difference.tables.length + difference.parts.length === 0) {
      process.stdout.write('No changes in database schema were found.\n');
      return check ? 0 : 1;
    }
    const source = migrationSource(
      className,
      difference,
      await new BuiltService(PROJECT).enginesOf(dataSource),
    );
    if (!check && !dryrun) return await write(file, source);
    process.stdout.write(await format(file, source));
    return check ? 1 : 0;
  } finally {
    await dataSource.destroy();
  }
}

async function write(file: string, source: string): Promise<number> {
  writeFileSync(file, await format(file, source), { flag: 'wx' });
  process.stdout.write(`Migration ${relative(process.cwd(), file)} has been generated successfully.\n`);
  return 0;
}

function format(file: string, source: string): Promise<string> {
  return formatted(PROJECT, join(MIGRATIONS, basename(file)), source);
}

process.exitCode = await main(process.argv.slice(2));
