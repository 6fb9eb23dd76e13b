import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../src/platform/database/schema/migrate';
import { openDatabase } from '../../src/platform/database/driver/open';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { databaseSettings } from '../support/databases/sample-database';

const ROOT = join(__dirname, '..', '..');

describeEachEngine('the TypeORM CLI with ormconfig', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
  afterEach(() => database.drop());

  async function schemaLog(): Promise<string> {
    const cli = join(ROOT, 'node_modules', 'typeorm', 'cli.js');
    const args = [cli, '-d', join(ROOT, 'dist', 'ormconfig.js'), 'schema:log'];
    // Elsewhere than in the project, whose own .env would be read.
    const options = { cwd: makeFolder(), env: { PATH: process.env.PATH, DATABASE_URL: database.url } };
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  }

  it('finds nothing to do once the migrations have run, and the whole schema before', async () => {
    expect(await schemaLog()).toMatch(/CREATE TABLE "pets"/);

    const dataSource = await openDatabase(databaseSettings(database.url));
    await migrate(dataSource);
    await dataSource.destroy();

    expect(await schemaLog()).toMatch(/^Your schema is up to date/);
  });
});
