import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { resultOf } from '../support/processes/command';
import { until } from '../support/until';
import { CliInProcess } from './support/cli-in-process';
import type { CliProcess } from './support/cli-process';

const ROWS = 4_000;

interface Report {
  readonly run: number;
}

interface UndoReport {
  readonly undone: number;
  readonly remaining: number;
  readonly leftAlone: readonly object[];
}

describeEachEngine('petstore pets undo-import', (engine) => {
  let database: TestDatabase;
  let inProcess: CliInProcess;
  let cli: CliProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    inProcess = new CliInProcess({ DATABASE_URL: database.url });
    cli = inProcess.process;
    await inProcess.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  /** Imports so many pets whose names begin like this; returns the number of the import. */
  async function imported(part: string, count: number): Promise<string> {
    const rows = Array.from({ length: count }, (_, index) => `${part} ${index},1\n`);
    writeFileSync(join(cli.folder, `${part}.csv`), `name,categoryId\n${rows.join('')}`);
    const { run } = await inProcess.json<Report>('pets', 'import', `${part}.csv`);
    return String(run);
  }

  /** The ids of the pets whose names begin like this, as far as they are there. */
  const idsOf = async (part: string) =>
    (
      await inProcess.json<{ items: { id: number }[] }>('pets', 'list', '--name', part, '--limit', '10000')
    ).items.map(({ id }) => String(id));

  it('removes what the import added, and names what it left alone', async () => {
    const run = await imported('few', 120);
    const { items } = await inProcess.json<{ items: { id: number }[] }>('audit', 'list', '--limit', '1');
    const batches = await inProcess.json('audit', 'list', '--within', String(items[0]?.id));
    expect(batches).toMatchObject({ items: [{ action: 'pets.import', after: { imported: 120 } }] });
    const [changed, removed] = (await idsOf('few ')) as [string, string];
    await inProcess.run('pets', 'update', changed, '--status', 'sold');
    await inProcess.run('pets', 'remove', removed);
    expect(await inProcess.run('pets', 'undo-import', run)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        `^Left alone, because changed since: ${changed}\\.\nLeft alone, because removed since: ${removed}\\.\n118 pets of import ${run} removed\\.\n`,
      ) as unknown,
    });
    expect(await idsOf('few ')).toEqual([changed]);
    expect(await inProcess.run('pets', 'undo-import', run)).toMatchObject({ code: 4 });
    expect(await inProcess.run('pets', 'undo-import', '987654')).toMatchObject({ code: 3 });
    expect(await inProcess.run('pets', 'import', 'few.csv')).toMatchObject({ code: 0 });
  });

  it('asks before it removes anything, at a terminal', async () => {
    const run = await imported('asked', 2);
    const declined = await cli.runOnTerminal(['pets', 'undo-import', run], 'n\n');
    expect(declined).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(`Remove the pets that import ${run} added? [y/N]`) as unknown,
    });
    expect(await idsOf('asked')).toHaveLength(2);
  });

  it.each([
    ['killed', 'SIGKILL'],
    ['interrupted', 'SIGINT'],
  ] as const)('goes on where it was when it was %s', async (part, signal) => {
    const run = await imported(part, ROWS);
    const child = cli.start('pets', 'undo-import', run);
    const [result, ended] = [resultOf(child), once(child, 'close')];
    let left = ROWS;
    await until(async () => (left = (await idsOf(part)).length) < ROWS);
    child.kill(signal);
    await ended;
    if (signal === 'SIGINT') {
      expect(await result).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/Interrupted with [\d,]+ left: run the same command again/) as unknown,
      });
    }
    const remaining = (await idsOf(part)).length;
    expect([remaining > 0, remaining <= left, remaining % 50]).toEqual([true, true, 0]);
    const report = await inProcess.json<UndoReport>('pets', 'undo-import', run);
    expect(report).toMatchObject({ undone: ROWS, remaining: 0, leftAlone: [] });
    expect(await idsOf(part)).toEqual([]);
  });
});
