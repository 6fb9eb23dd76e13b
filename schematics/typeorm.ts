import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { formatted } from './text/format.ts';
import { MIGRATIONS, nextMigrationTime } from './text/migration-time.ts';
import { findDifference } from './migration/difference.ts';
import {
  buildMetadata,
  type ColumnWords,
  type Engines,
  emptyMigration,
  migrationSource,
} from './migration/source.ts';
import { Refusal } from './refusal.ts';

const PROJECT = join(import.meta.dirname, '..');
const DIST = join(PROJECT, 'dist');

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
    if (isOurs) await openOnce(command === 'migration:run');
    if (command === 'migration:generate') return await generate(args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  if (isOurs) process.argv.push('-d', join(DIST, 'ormconfig.js'));
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
        dataSource: { type: 'string', short: 'd', default: join(DIST, 'ormconfig.js') },
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
    const source = migrationSource(className, difference, await enginesOf(dataSource));
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

function dataSourceIn(file: string): DataSource {
  const exported = Object.values(require(file) as Record<string, unknown>);
  const found = exported.find((each) => each instanceof Object && 'isInitialized' in each);
  if (!found) throw new Refusal(`${file} exports no DataSource.`);
  return found as DataSource;
}

/** Throws the message of TypeORM or the database as a refusal, for the person who ran the command. */
function refuse(error: unknown): never {
  throw new Refusal((error as Error).message);
}

/** Exports of the built service. */
interface Service {
  readonly loadEnvironment: () => object;
  readonly loadSettings: (environment: object) => object;
  readonly createDataSource: (settings: object) => DataSource;
  readonly openDatabase: (settings: object, features: [], use: { mayCreate: boolean }) => Promise<DataSource>;
  readonly columnTypes: (runner: { dataSource: { options: { type: string } } }) => ColumnWords;
}

function loadService(): Service {
  const modules = [
    'config/load-settings',
    'database/driver/data-source',
    'database/driver/open',
    'database/column-types',
  ].map((name) => require(join(DIST, 'src', 'platform', `${name}.js`)) as object);
  return Object.assign({}, ...modules) as Service;
}

/**
 * Opens the database and closes it, so that a fault of it is reported in a sentence.
 *
 * @param mayCreate true if a missing SQLite file may be created
 */
async function openOnce(mayCreate: boolean): Promise<void> {
  const { loadEnvironment, loadSettings, openDatabase } = loadService();
  const settings = loadSettings(loadEnvironment());
  const dataSource = await openDatabase(settings, [], { mayCreate }).catch(refuse);
  await dataSource.destroy();
}

/** The entities of a data source as each engine sees them; the other engine is not connected to. */
async function enginesOf({ options }: DataSource): Promise<Engines> {
  const { loadEnvironment, loadSettings, createDataSource, columnTypes } = loadService();
  const settings = loadSettings(loadEnvironment());
  const see = async (type: string, databaseUrl: string) => {
    const dataSource = createDataSource({ ...settings, databaseUrl });
    dataSource.setOptions({ entities: options.entities });
    await buildMetadata(dataSource).catch(refuse);
    return { dataSource, words: columnTypes({ dataSource: { options: { type } } }) };
  };
  return {
    sqlite: await see('better-sqlite3', 'sqlite::memory:'),
    postgres: await see('postgres', 'postgres://localhost/petstore'),
  };
}

process.exitCode = await main(process.argv.slice(2));
