import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { loadSettings } from '../../src/platform/config/load-settings';
import { openDatabase } from '../../src/platform/database/driver/open';
import { resultOf } from '../support/processes/command';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { startTestService } from '../support/service/service';
import { until } from '../support/until';
import { CliInProcess } from './support/cli-in-process';
import { CliProcess } from './support/cli-process';

const ROWS = 3_000;

/** So many take long enough to be interrupted. */
const MANY_ROWS = 20_000;

interface Report {
  rows: number;
  done: number;
  resumedAt: number;
  imported: number;
  refused: number;
}

describeEachEngine('petstore pets import and export', (engine) => {
  let database: TestDatabase;
  let observer: DataSource;
  let cli: CliProcess;
  let inProcess: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const folder = makeFolder();
    inProcess = new CliInProcess({ DATABASE_URL: database.url, TMPDIR: folder }, folder);
    cli = inProcess.process;
    await inProcess.run('db', 'migrate');
    observer = await openDatabase(loadSettings({ DATABASE_URL: database.url }));
  });
  afterAll(async () => {
    await observer.destroy();
    await database.drop();
  });

  /** A CSV file of so many pets whose names begin alike. */
  function csv(part: string, count = ROWS): string {
    const rows = Array.from({ length: count }, (_, index) => `${part} ${index},1,sold\r\n`);
    writeFileSync(join(cli.folder, `${part}.csv`), `name,categoryId,status\r\n${rows.join('')}`);
    return `${part}.csv`;
  }

  /** How many pets there are whose names begin like this, and how many names. */
  async function stored(part: string): Promise<[all: number, names: number]> {
    const [row] = await observer.query<{ all: bigint; names: bigint }[]>(
      `SELECT count(*) AS "all", count(DISTINCT name) AS "names" FROM pets WHERE name LIKE '${part} %'`,
    );
    return [Number(row?.all), Number(row?.names)];
  }

  const isUnderWay = async (part: string) => (await stored(part))[0] > 0;

  it('imports a file, says so, and does not import it twice', async () => {
    const file = csv('whole');
    expect(await cli.run('pets', 'import', file)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^3,000 rows: 3,000 imported, 0 refused\.\nTo undo it: .*\n/) as unknown,
    });
    const twice = await inProcess.run('pets', 'import', file);
    expect(twice).toMatchObject({ code: 4, stdout: '' });
    expect(twice.stderr).toMatch(/^whole\.csv was imported by cli:\w+, until .* Add --again to import it/);
    expect(await stored('whole')).toEqual([ROWS, ROWS]);
  });

  it('loses and duplicates nothing when it is killed', async () => {
    const file = csv('killed', MANY_ROWS);
    const child = cli.start('pets', 'import', file);
    const ended = once(child, 'close');
    await until(() => isUnderWay('killed'));
    child.kill('SIGKILL');
    await ended;
    const [before] = await stored('killed');
    expect(before).toBeLessThan(MANY_ROWS);
    const report = await inProcess.json<Report>('pets', 'import', file);
    expect(report).toMatchObject({ resumedAt: before, done: MANY_ROWS, imported: MANY_ROWS, refused: 0 });
    expect(await stored('killed')).toEqual([MANY_ROWS, MANY_ROWS]);
  });

  it('stops after a batch at Ctrl+C, and resumes when it is run again', async () => {
    const file = csv('interrupted', MANY_ROWS);
    const child = cli.start('pets', 'import', file);
    const result = resultOf(child);
    await until(() => isUnderWay('interrupted'));
    child.kill('SIGINT');
    const { code, stderr } = await result;
    const [count] = await stored('interrupted');
    expect(code).toBe(1);
    expect(stderr).toMatch(`${count.toLocaleString('en')} of 20,000 rows: `);
    expect(stderr).toMatch(/\nTo undo it: .*\nInterrupted: run the same command again to continue\.\n$/);
    expect(count % 1_000).toBe(0);
    const end = await inProcess.run('pets', 'import', file);
    expect(end.stderr).toMatch(
      /^[\d,]+ rows were imported before; continuing after them\.\n20,000 rows: 20,000 imported/,
    );
    expect(await stored('interrupted')).toEqual([MANY_ROWS, MANY_ROWS]);
  });

  it('runs in one of two processes that are started at once', async () => {
    const file = csv('both');
    const both = await Promise.all([cli.run('pets', 'import', file), cli.run('pets', 'import', file)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 4]);
    const refused = both.find(({ code }) => code === 4)?.stderr;
    expect(refused).toMatch(/^both\.csv (is being imported by another process\.|was imported by )/);
    expect(await stored('both')).toEqual([ROWS, ROWS]);
  });

  it('works beside a running server, which goes on with its writes', async () => {
    const service = await startTestService(engine);
    try {
      const beside = new CliProcess({ DATABASE_URL: service.database.url }, cli.folder);
      const importing = beside.json<Report>('pets', 'import', csv('beside'));
      let posted = 0;
      const end = new AbortController();
      void importing.finally(() => end.abort());
      while (!end.signal.aborted) {
        expect((await service.post('/v1/pets', { name: 'posted', categoryId: 1 })).status).toBe(201);
        posted++;
      }
      expect(await importing).toMatchObject({ imported: ROWS });
      expect(posted).toBeGreaterThan(1);
      const { items } = await inProcess
        .with({ DATABASE_URL: service.database.url })
        .json<{ items: unknown[] }>('pets', 'list', '--name', 'posted', '--limit', '100000');
      expect(items).toHaveLength(posted);
    } finally {
      await service.stop();
    }
  });

  it('shows a progress bar on a terminal', async () => {
    const { code, stdout } = await cli.runOnTerminal(['pets', 'import', csv('shown', 3_000)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Adding pets \[=+\] 100% \| 3,000\/3,000/);
    expect(stdout).toContain('3,000 rows: 3,000 imported, 0 refused.');
  });

  it('reads standard input with --format', async () => {
    const child = cli.startWithInput(
      '{"name":"piped 1","categoryId":1}\n',
      'pets',
      'import',
      '-',
      '--format',
      'ndjson',
    );
    expect(await resultOf(child)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^1 row: 1 imported, 0 refused\.\nTo undo it: /) as unknown,
    });
    const silent = await resultOf(cli.startWithInput('', 'pets', 'import', '-'));
    expect(silent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format csv or --format ndjson'),
    });
  });

  it('reports refused rows with line and reason, or writes them to a file, and fails', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => (index < 5 ? `tell ${index},1\n` : 'bad,x\n'));
    writeFileSync(join(cli.folder, 'bad.csv'), `name,categoryId\n${rows.join('')}`);
    const dry = await inProcess.run('pets', 'import', 'bad.csv', '--dry-run');
    expect(dry.code).toBe(1);
    expect(dry.stderr.match(/^Line \d+: categoryId must be an integer/gm)).toHaveLength(20);
    expect(dry.stderr).toContain('30 rows: 5 would be imported, 25 refused.');
    expect(dry.stderr).toContain('--rejects <file> writes all of them');
    expect(await stored('tell')).toEqual([0, 0]);
    const { code, stderr } = await inProcess.run('pets', 'import', 'bad.csv', '--rejects', 'refused.ndjson');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^30 rows: 5 imported.*\n.*\nThe refused rows.* refused/) as unknown,
    });
    const refused = readFileSync(join(cli.folder, 'refused.ndjson'), 'utf8').trimEnd().split('\n');
    expect(refused).toHaveLength(25);
    expect((statSync(join(cli.folder, 'refused.ndjson')).mode & 0o777).toString(8)).toBe('600');
    expect(JSON.parse(refused[0] as string)).toEqual({
      line: 7,
      reason: expect.stringMatching(/^categoryId must be an integer/),
      row: 'bad,x',
    });
  });

  it('exports filtered records, whole or not at all', async () => {
    await inProcess.run('pets', 'import', csv('out', 1_200));
    const { code, stderr } = await inProcess.run(
      'pets',
      'export',
      '--name',
      'out ',
      '--output',
      'out-again.csv',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^1,200 pets were written to out-again\.csv\.\nDatabase: .*\n$/);
    const lines = readFileSync(join(cli.folder, 'out-again.csv'), 'utf8').split('\r\n');
    expect(lines).toHaveLength(1_202);
    const piped = await inProcess.run('pets', 'export', '--name', 'out ');
    expect(piped.stdout.split('\r\n')).toEqual(lines);
    const pets = await inProcess.json<{ name: string }[]>(
      'pets',
      'export',
      '--name',
      'out 7',
      '--sort',
      'name',
      '--desc',
    );
    expect(pets[0]?.name).toBe('out 799');
    const nowhere = await inProcess.run('pets', 'export', '--output', 'no-such-folder/out.csv');
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^no-such-folder\/out\.csv cannot be written: /),
    });
    const wrong = await inProcess.run('pets', 'export', '--sort', 'colour', '--output', 'wrong.csv');
    expect(wrong.code).toBe(2);
    expect(
      readdirSync(cli.folder).filter((name) => name.startsWith('wrong') || name.endsWith('.part')),
    ).toEqual([]);
  });

  describe('of very many rows', () => {
    beforeAll(async () => {
      await observer.query(
        `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT 'exported', 1 FROM n`,
      );
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('leaves nothing of an export that %s ends', async (signal) => {
      const files = () => readdirSync(cli.folder).filter((name) => name.startsWith('ended'));
      const child = cli.start('pets', 'export', '--output', 'ended.csv');
      const result = resultOf(child);
      await until(() => files().length > 0);
      expect(files()).toEqual([expect.stringMatching(/^ended\.csv\.\d+\.part$/)]);
      child.kill(signal);
      expect(await result).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Interrupted: ended.csv was not written.\n',
      });
      expect(files()).toEqual([]);
    });

    it('ends quietly when its reader stops reading', async () => {
      const child = cli.start('pets', 'export');
      await once(child.stdout, 'data');
      child.stdout.destroy();
      let stderr = '';
      child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    });
  });

  it.each([
    ['no.csv', [], 1, /^no\.csv cannot be read: ENOENT/],
    ['odd.txt', [], 2, /The format of .*odd\.txt is unknown/],
    ['odd.csv', ['--format', 'xml'], 2, /--format <format>/],
    ['odd.csv', [], 1, /^Line 1, the header: pets have no "colour"; they have name, categoryId, status\.\n$/],
  ])('fails with a message: %s %j ends with %d', async (file, options, code, message) => {
    writeFileSync(join(cli.folder, 'odd.csv'), 'name,colour\n');
    const result = await inProcess.run('pets', 'import', file, ...options);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
  });

  it('leaves no temporary files', () => {
    expect(existsSync(join(cli.folder, 'refused.ndjson'))).toBe(true);
    expect(readdirSync(cli.folder).filter((name) => /part|petstore/.test(name))).toEqual([]);
  });
});

describe('petstore pets import and export without their database', () => {
  it.each([
    ['import', 'pets.csv'],
    ['export', '--output', 'pets.csv.new'],
  ])('fail in one sentence: %s', async (...words) => {
    const cli = new CliInProcess({ DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore' });
    writeFileSync(join(cli.folder, 'pets.csv'), 'name,categoryId\nRex,1\n');
    const { code, stdout, stderr } = await cli.run('pets', ...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^.*127\.0\.0\.1.*\n$/);
    expect(readdirSync(cli.folder)).toEqual(['pets.csv']);
  });
});
