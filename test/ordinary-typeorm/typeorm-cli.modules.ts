import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { scripts } from '../../package.json';
import { migrate } from '../../src/platform/database/schema/migrate';
import { openDatabase } from '../../src/platform/database/driver/open';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { databaseSettings } from '../support/databases/sample-database';
import type { CommandResult } from '../support/processes/command';
import { migrationsAreFlatAndOrdered, migrationsMakeTablesOnBothEngines } from '../architecture/code-rules';
import { parseSourceFiles } from '../architecture/source-files';

const ROOT = join(__dirname, '..', '..');
const TIMES = globSync('src/**/migrations/*.ts', { cwd: ROOT }).flatMap(
  (path) => /^\d{13}/.exec(basename(path)) ?? [],
);
/** Time in the name of the newest migration. */
const TIME = TIMES.toSorted().at(-1) ?? '';

/** An entity that is written by hand, compiled. */
const SHOP = `
const { dataSource } = require(${JSON.stringify(join(ROOT, 'dist', 'ormconfig.js'))});
const { Column, Entity, PrimaryGeneratedColumn } = require(${JSON.stringify(join(ROOT, 'node_modules', 'typeorm'))});
class Shop {}
Entity('shops')(Shop);
PrimaryGeneratedColumn({ type: 'int' })(Shop.prototype, 'id');
Column({ type: String, unique: true })(Shop.prototype, 'name');
dataSource.setOptions({ entities: [...dataSource.options.entities, Shop] });
exports.dataSource = dataSource;
`;

const ADD_SHOPS = `import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class AddShops1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'shops',
        columns: [
          {
            name: 'id',
            type: 'integer',
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
          },
          { name: 'name', type: 'varchar' },
        ],
        uniques: [{ name: 'UQ_2d52eee86e0f4815cdc79df54ac', columnNames: ['name'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('shops');
  }
}
`;

/** Makes a folder with what is built of the project, but without its `.env` and its database. */
function makeProject(): string {
  const folder = makeFolder();
  for (const name of ['dist', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

describeOneEngine('npm run typeorm', (engine) => {
  let database: TestDatabase;
  const cwd = makeProject();

  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
  afterEach(() => database.drop());

  async function typeorm(...args: string[]): Promise<CommandResult> {
    const [program, ...first] = scripts.typeorm.split(' ');
    expect(program).toBe('node');
    const words = [...first.map((word) => join(ROOT, word)), ...args];
    const options = { cwd, env: { PATH: process.env.PATH, DATABASE_URL: database.url } };
    try {
      return { code: 0, ...(await promisify(execFile)(process.execPath, words, options)) };
    } catch (error) {
      return error as CommandResult;
    }
  }

  async function succeed(...args: string[]): Promise<string> {
    const result = await typeorm(...args);
    expect(result).toMatchObject({ code: 0 });
    return result.stdout;
  }

  async function migrateAll(): Promise<void> {
    const dataSource = await openDatabase(databaseSettings(database.url));
    await migrate(dataSource);
    await dataSource.destroy();
  }

  it('finds no difference after the migrations have run, and the whole schema before', async () => {
    expect(await succeed('schema:log')).toMatch(/CREATE TABLE "pets"/);
    await migrateAll();
    expect(await succeed('schema:log')).toMatch(/^Your schema is up to date/);
    expect(await typeorm('migration:generate', 'src/migrations/Nothing')).toMatchObject({
      code: 1,
      stdout: 'No changes in database schema were found.\n',
    });
  });

  it('runs and lists migrations', async () => {
    await succeed('migration:run');
    expect(await succeed('migration:show')).toMatch(new RegExp(`\\[X\\] \\d+ \\w+${TIME}\\s*$`));
  });

  it('reverts the newest migration', async () => {
    await migrateAll();
    await succeed('migration:revert');
    expect(await succeed('migration:show')).toMatch(new RegExp(`\\[ \\] \\w+${TIME}\\s*$`));
  });

  it('generates a migration with the new tables only', async () => {
    await migrateAll();
    const shop = join(cwd, 'shop.cjs');
    writeFileSync(shop, SHOP);
    const add = ['migration:generate', '-d', shop, '-t', '1790000000000', `src/migrations/Add${engine}`];
    expect(await succeed(...add)).toBe(
      `Migration src/migrations/1790000000000-Add${engine}.ts has been generated successfully.\n`,
    );
    const written = readFileSync(join(cwd, 'src', 'migrations', `1790000000000-Add${engine}.ts`), 'utf8');
    const name = `Add${engine}1790000000000`;
    expect(written).toBe(ADD_SHOPS.replace('AddShops1790000000000', name));
    const file = parseSourceFiles({ [`src/migrations/1790000000000-Add${engine}.ts`]: written });
    expect(
      [migrationsAreFlatAndOrdered, migrationsMakeTablesOnBothEngines].flatMap((rule) => rule(file)),
    ).toEqual([]);
    expect(await typeorm(...add, '--check')).toEqual(expect.objectContaining({ code: 1, stdout: written }));
  });
});

describe('npm run typeorm without a database', () => {
  const cwd = makeProject();
  const typeorm = (command: string) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'packages', 'create', 'src', 'typeorm.ts'), command], {
      cwd,
      env: { PATH: process.env.PATH, DATABASE_URL: 'sqlite:data/new.sqlite' },
    });

  it('says that there is no database, and creates one for migration:run', async () => {
    await expect(typeorm('migration:show')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no database at .*new\.sqlite\. [^\n]*\n$/) as string,
    });
    await typeorm('migration:run');
    expect(statSync(join(cwd, 'data', 'new.sqlite')).mode & 0o777).toBe(0o600);
  });
});

describe('npm run typeorm -- migration:create', () => {
  const cwd = makeProject();
  const create = (path: string) =>
    promisify(execFile)(
      process.execPath,
      [join(ROOT, 'packages', 'create', 'src', 'typeorm.ts'), 'migration:create', path],
      { cwd, env: { PATH: process.env.PATH } },
    );

  it('writes an empty migration with the name that TypeORM gives it', async () => {
    await create('src/migrations/AddShops');
    const [file = ''] = globSync('src/migrations/*.ts', { cwd });
    expect(file).toMatch(/^src\/migrations\/\d{13}-AddShops\.ts$/);
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(
      `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddShops${basename(file).slice(0, 13)} implements MigrationInterface {
  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
`,
    );
  });

  it('refuses a path outside the folder of the migrations', async () => {
    await expect(create('AddShops')).rejects.toMatchObject({
      code: 1,
      stderr: 'Name a file in src/migrations: npm run typeorm -- migration:create src/migrations/AddShops\n',
    });
    expect(existsSync(join(cwd, 'AddShops.ts'))).toBe(false);
  });
});
