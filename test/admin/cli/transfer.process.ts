import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import { resultOf } from '../../support/processes/command';
import { ServiceProcess } from '../../support/processes/service-process';
import {
  createTestDatabase,
  describeEachEngine,
  describeOneEngine,
  type Engine,
  type TestDatabase,
} from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { csvOf } from '../support/pet-transfers';
import { startTestService } from '../../support/service/service';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';

/** So many take long enough to be interrupted. */
const MANY_ROWS = 20_000;

interface Report {
  readonly run: number;
  readonly done: number;
  readonly resumedAt: number;
  readonly imported: number;
}

/** A database of pets, with the command line on it as processes and within this one. */
class Transfers {
  private constructor(
    readonly database: TestDatabase,
    readonly observer: DataSource,
    readonly inProcess: CliInProcess,
  ) {}

  static async open(engine: Engine): Promise<Transfers> {
    const database = await createTestDatabase(engine);
    const folder = makeFolder();
    const inProcess = new CliInProcess({ DATABASE_URL: database.url, TMPDIR: folder }, folder);
    await inProcess.run('db', 'migrate');
    return new Transfers(
      database,
      await openDatabase(loadSettings({ DATABASE_URL: database.url })),
      inProcess,
    );
  }

  get cli(): CliProcess {
    return this.inProcess.process;
  }

  /** A CSV file of so many pets whose names begin alike. */
  csv(part: string, count: number): string {
    writeFileSync(join(this.cli.folder, `${part}.csv`), csvOf(part, count));
    return `${part}.csv`;
  }

  /** How many pets there are whose names begin like this, and how many names; removed ones do not count. */
  async stored(part: string): Promise<[all: number, names: number]> {
    const [row] = await this.observer.query<{ all: bigint; names: bigint }[]>(
      `SELECT count(*) AS "all", count(DISTINCT name) AS "names" FROM pets
       WHERE name LIKE '${part} %' AND removed_at IS NULL`,
    );
    return [Number(row?.all), Number(row?.names)];
  }

  async close(): Promise<void> {
    await this.observer.destroy();
    await this.database.drop();
  }
}

describeEachEngine('petstore pets import', (engine) => {
  let transfers: Transfers;
  beforeAll(async () => (transfers = await Transfers.open(engine)));
  afterAll(() => transfers.close());

  it('is continued by the same command or by a service when it is killed, and loses and doubles nothing', async () => {
    const { cli, inProcess } = transfers;
    const file = transfers.csv('killed', 2 * MANY_ROWS);
    let before = 0;
    for (let kills = 0; kills < 2; kills++) {
      const child = cli.start('pets', 'import', file);
      const ended = once(child, 'close');
      await until(async () => (await transfers.stored('killed'))[0] > before);
      child.kill('SIGKILL');
      await ended;
      [before] = await transfers.stored('killed');
      expect(before).toBeLessThan(2 * MANY_ROWS);
    }
    const environment = { DATABASE_URL: transfers.database.url };
    const service = await ServiceProcess.start(environment, { cwd: cli.folder });
    try {
      const parts = () => transfers.observer.query<object[]>('SELECT position FROM import_file_parts');
      expect(await parts()).not.toEqual([]);
      await until(async () => (await transfers.stored('killed'))[0] === 2 * MANY_ROWS);
      expect(await transfers.stored('killed')).toEqual([2 * MANY_ROWS, 2 * MANY_ROWS]);
      await until(async () => (await parts()).length === 0);
    } finally {
      await service.kill('SIGTERM');
    }
    const [{ id } = { id: 0n }] = await transfers.observer.query<{ id: bigint }[]>(
      'SELECT id FROM import_runs WHERE finished_at IS NOT NULL',
    );
    const undone = await inProcess.json('pets', 'undo-import', String(id));
    expect(undone).toMatchObject({ undone: 2 * MANY_ROWS, remaining: 0, leftAlone: [] });
    expect(await transfers.stored('killed')).toEqual([0, 0]);
  });

  it('works beside a running server, which goes on with its writes', async () => {
    const { cli, inProcess } = transfers;
    const service = await startTestService(engine);
    try {
      const beside = new CliProcess({ DATABASE_URL: service.database.url }, cli.folder);
      const importing = beside.json<Report>('pets', 'import', transfers.csv('beside', 3_000));
      let posted = 0;
      const end = new AbortController();
      void importing.finally(() => end.abort());
      while (!end.signal.aborted) {
        expect((await service.post('/v1/pets', { name: 'posted', categoryId: 1 })).status).toBe(201);
        posted++;
      }
      expect(await importing).toMatchObject({ imported: 3_000 });
      expect(posted).toBeGreaterThan(1);
      const { items } = await inProcess
        .with({ DATABASE_URL: service.database.url })
        .json<{ items: unknown[] }>('pets', 'list', '--name', 'posted', '--limit', '100000');
      expect(items).toHaveLength(posted);
    } finally {
      await service.stop();
    }
  });
});

describeOneEngine('petstore pets', (engine) => {
  let transfers: Transfers;
  beforeAll(async () => (transfers = await Transfers.open(engine)));
  afterAll(() => transfers.close());

  it('import stops after a batch at Ctrl+C, and resumes when it is run again', async () => {
    const { cli, inProcess } = transfers;
    const file = transfers.csv('interrupted', MANY_ROWS);
    const child = cli.start('pets', 'import', file);
    const result = resultOf(child);
    await until(async () => (await transfers.stored('interrupted'))[0] > 0);
    child.kill('SIGINT');
    const { code, stderr } = await result;
    const [count] = await transfers.stored('interrupted');
    expect(code).toBe(1);
    expect(stderr).toMatch(`${count.toLocaleString('en')} of 20,000 rows: `);
    expect(stderr).toMatch(/\n.* pets undo-import \d+\nInterrupted: .*\n$/);
    expect(count % 1_000).toBe(0);
    const end = await inProcess.run('pets', 'import', file);
    expect(end.stderr).toMatch(
      new RegExp(`^${count.toLocaleString('en')} rows .*\\.\n20,000 .* 20,000 .* 0 `),
    );
    expect(await transfers.stored('interrupted')).toEqual([MANY_ROWS, MANY_ROWS]);
  });

  it('import reads standard input with --format', async () => {
    const { cli } = transfers;
    const words = ['pets', 'import', '-', '--format', 'ndjson'];
    const child = cli.startWithInput('{"name":"piped 1","categoryId":1}\n', ...words);
    expect(await resultOf(child)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^1 row: 1 .* 0 .*\n.* undo-import /) as unknown,
    });
    const silent = await resultOf(cli.startWithInput('', 'pets', 'import', '-'));
    expect(silent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format csv'),
    });
    expect(readdirSync(cli.folder).filter((name) => /unfinished|petstore/.test(name))).toEqual([]);
  });

  it('undo-import asks before it removes anything, at a terminal', async () => {
    const { cli, inProcess } = transfers;
    const { run } = await inProcess.json<Report>('pets', 'import', transfers.csv('asked', 2));
    const declined = await cli.runOnTerminal(['pets', 'undo-import', String(run)], 'n\n');
    expect(declined).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(` ${run} .*\\? \\[y/N\\]`) as unknown,
    });
    expect(await transfers.stored('asked')).toEqual([2, 2]);
  });

  it('undo-import stops at Ctrl+C, and goes on where it was when it is run again', async () => {
    const { cli, inProcess } = transfers;
    const { run } = await inProcess.json<Report>('pets', 'import', transfers.csv('undone', 12_000));
    const child = cli.start('pets', 'undo-import', String(run));
    const result = resultOf(child);
    await until(async () => (await transfers.stored('undone'))[0] < 12_000);
    child.kill('SIGINT');
    expect(await result).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Interrupted: [\d,]+ /) as unknown,
    });
    const [remaining] = await transfers.stored('undone');
    expect([remaining > 0, remaining % 500]).toEqual([true, 0]);
    const report = await inProcess.json('pets', 'undo-import', String(run));
    expect(report).toMatchObject({ undone: 12_000, remaining: 0, leftAlone: [] });
    expect(await transfers.stored('undone')).toEqual([0, 0]);
  });

  describe('export of very many rows', () => {
    beforeAll(async () => {
      await transfers.observer.query(
        `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT 'exported', 1 FROM n`,
      );
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('leaves nothing when %s ends it', async (signal) => {
      const { cli } = transfers;
      const files = () => readdirSync(cli.folder).filter((name) => name.startsWith('ended'));
      const child = cli.start('pets', 'export', '--output', 'ended.csv');
      const result = resultOf(child);
      await until(() => files().length > 0);
      expect(files()).toEqual([expect.stringMatching(/^ended\.csv\.[-\w]+\.unfinished$/)]);
      child.kill(signal);
      expect(await result).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(' ended.csv ') as string,
      });
      expect(files()).toEqual([]);
    });

    it('ends quietly when its reader stops reading', async () => {
      const child = transfers.cli.start('pets', 'export');
      await once(child.stdout, 'data');
      child.stdout.destroy();
      let stderr = '';
      child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    });
  });
});
