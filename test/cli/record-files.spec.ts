import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { CliInProcess } from './support/cli-in-process';

describeOneEngine('petstore pets import and export', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  it('tells of one row as one, and of rows that have no name, when it imports', async () => {
    writeFileSync(join(cli.folder, 'nameless.csv'), 'name,categoryId\n,61\n');
    const dry = await cli.run('pets', 'import', 'nameless.csv', '--dry-run');
    expect(dry.stderr).toMatch(/^1 row: 1 would be imported, 0 refused\.\nLine 2 has an empty name\.\n/);
    expect((await cli.run('pets', 'import', 'nameless.csv')).stderr).toMatch(/^1 row: 1 imported/);
    const again = await cli.run('pets', 'import', 'nameless.csv');
    expect(again.stderr).toContain(': 1 row, in run ');
    writeFileSync(join(cli.folder, 'refused.csv'), 'name,categoryId\n,61\n,62\nRex,x\n');
    const refused = await cli.run('pets', 'import', 'refused.csv', '--rejects', 'rejects.csv');
    expect(refused.stderr).toContain('2 rows have an empty name; the first is line 2.');
    expect(refused.stderr).toContain('The refused row, and why, is in rejects.csv.');
    const exported = await cli.run('pets', 'export', '--category-id', '62', '--output', 'single.csv');
    expect(exported.stderr).toMatch(/^1 pet was written to single\.csv\./);
  });

  it('exports CSV for spreadsheets with a byte order mark, which an import takes and returns', async () => {
    await cli.run('pets', 'create', '--name', 'Zoë', '--category-id', '3');
    const named = ['pets', 'export', '--name', 'Zoë', '--format'];
    const plain = (await cli.run(...named, 'csv')).stdout;
    expect(plain).toMatch(/^id,name/);
    const marked = (await cli.run(...named, 'spreadsheet')).stdout;
    expect(marked).toBe(`\ufeff${plain}`);
    writeFileSync(join(cli.folder, 'marked.csv'), marked.replace('Zoë,3', 'Zoë,three'));
    await cli.run('pets', 'import', 'marked.csv', '--rejects', 'marked-rejects.csv');
    expect(readFileSync(join(cli.folder, 'marked-rejects.csv'), 'utf8')).toMatch(/^\ufeffrefusedLine,/);
  });
});
