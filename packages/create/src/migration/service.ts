import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import { Refusal } from '../refusal.ts';
import { buildMetadata, type ColumnWords, type Engines } from './source.ts';

/** Exports of the built service. */
interface Service {
  readonly loadEnvironment: () => object;
  readonly loadSettings: (environment: object) => object;
  readonly createDataSource: (settings: object) => DataSource;
  readonly openDatabase: (settings: object, features: [], use: { mayCreate: boolean }) => Promise<DataSource>;
  readonly columnTypes: (runner: { dataSource: { options: { type: string } } }) => ColumnWords;
}

const MODULES = [
  'config/load-settings',
  'database/driver/data-source',
  'database/driver/open',
  'database/column-types',
];

const require = createRequire(import.meta.url);

/** The built service of a project, as far as migrations are written and run with it. */
export class BuiltService {
  private readonly config: string;
  private readonly service: Service;
  private readonly settings: object;

  constructor(project: string) {
    this.config = configOf(project);
    const platform = platformOf(project);
    const modules = MODULES.map((name) => require(join(platform, `${name}.js`)) as object);
    this.service = Object.assign({}, ...modules) as Service;
    this.settings = this.service.loadSettings(this.service.loadEnvironment());
  }

  /** Builds a project first. @throws Refusal */
  static build(project: string): BuiltService {
    const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
      cwd: project,
      // Standard output is for what the command itself says.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Refusal('The build has failed, so nothing was compared.');
    return new BuiltService(project);
  }

  /**
   * Opens the database of the settings and closes it, so that a fault of it is reported in a sentence.
   *
   * @param mayCreate true if a missing SQLite file may be created
   * @throws Refusal
   */
  async openOnce(mayCreate: boolean): Promise<void> {
    const dataSource = await this.service.openDatabase(this.settings, [], { mayCreate }).catch(refuse);
    await dataSource.destroy();
  }

  /** A database in memory to which every migration has been applied. @throws Refusal */
  async migratedInMemory(): Promise<DataSource> {
    const { entities, migrations } = dataSourceIn(this.config).options;
    const dataSource = this.service.createDataSource({ ...this.settings, databaseUrl: 'sqlite::memory:' });
    dataSource.setOptions({ entities, migrations });
    await dataSource.initialize().catch(refuse);
    await dataSource.runMigrations().catch(refuse);
    return dataSource;
  }

  /** The entities of a data source as each engine sees them; no database is connected to. @throws Refusal */
  async enginesOf({ options }: DataSource): Promise<Engines> {
    const see = async (type: string, databaseUrl: string) => {
      const dataSource = this.service.createDataSource({ ...this.settings, databaseUrl });
      dataSource.setOptions({ entities: options.entities });
      await buildMetadata(dataSource).catch(refuse);
      return { dataSource, words: this.service.columnTypes({ dataSource: { options: { type } } }) };
    };
    return {
      sqlite: await see('better-sqlite3', 'sqlite::memory:'),
      postgres: await see('postgres', 'postgres://localhost/petstore'),
    };
  }
}

/** The built rooms of the platform: those of the project, or those of the package in which it has them. */
function platformOf(project: string): string {
  const own = join(project, 'dist', 'src', 'platform');
  if (existsSync(own)) return own;
  const { resolve } = createRequire(join(project, 'package.json'));
  return join(dirname(resolve('@petstore/platform/package.json')), 'service', 'src', 'platform');
}

/** The file of a built project that exports the data source of the settings. */
export function configOf(project: string): string {
  return join(project, 'dist', 'ormconfig.js');
}

/** The data source that a file exports. @throws Refusal */
export function dataSourceIn(file: string): DataSource {
  const exported = Object.values(require(file) as Record<string, unknown>);
  const found = exported.find((each) => each instanceof Object && 'isInitialized' in each);
  if (!found) throw new Refusal(`${file} exports no DataSource.`);
  return found as DataSource;
}

/** Throws the message of TypeORM or the database as a refusal, for the person who ran the command. */
export function refuse(error: unknown): never {
  throw new Refusal((error as Error).message);
}
