import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvOf } from '../support/pet-transfers';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';

interface Pet {
  readonly id: number;
  readonly name: string;
}

describeOneEngine('petstore pets import, undo-import and export', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  /** A CSV file of so many pets whose names begin alike. */
  function csv(part: string, count: number): string {
    writeFileSync(join(cli.folder, `${part}.csv`), csvOf(part, count));
    return `${part}.csv`;
  }

  /** The pets with this in their names. */
  const stored = async (part: string) =>
    (await cli.json<{ items: Pet[] }>('pets', 'list', '--name', part, '--limit', '1000')).items;

  it('imports a file, says so, and does not import it twice', async () => {
    const file = csv('whole', 3);
    appendFileSync(join(cli.folder, file), ',\n\n');
    expect(await cli.run('pets', 'import', file)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^5 .* 3 .* 0 .* 2 .*\n.* pets undo-import \d+\n/) as unknown,
    });
    const twice = await cli.run('pets', 'import', file);
    expect(twice).toMatchObject({ code: 4, stdout: '' });
    expect(twice.stderr).toMatch(/^whole\.csv .*cli:\w+.* --again /);
    expect(await stored('whole')).toHaveLength(3);
    expect(await cli.run('pets', 'import', file, '--again')).toMatchObject({ code: 0 });
    expect(await stored('whole')).toHaveLength(6);
  });

  it('reports refused rows with line and reason, or writes them to a file, and fails', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => (index < 5 ? `tell ${index},1\n` : 'bad,x\n'));
    writeFileSync(join(cli.folder, 'bad.csv'), `name,categoryId\n${rows.join('')}`);
    const dry = await cli.run('pets', 'import', 'bad.csv', '--dry-run');
    expect(dry.code).toBe(1);
    expect(dry.stderr.match(/^Line \d+: categoryId /gm)).toHaveLength(20);
    expect(dry.stderr).toMatch(/^30 .* 5 .* 25 /m);
    expect(dry.stderr).toMatch(/^20 .* 25 .* --dry-run --rejects <file> /m);
    expect(await stored('tell')).toEqual([]);
    for (const [options, file, said] of [
      [['--dry-run'], 'would-be.csv', /^30 .* 5 .* 25 .*\n.* would-be\.csv/],
      [[], 'refused.csv', /^30 .* 5 .*\n.*\n.* refused\.csv/],
    ] as const) {
      const result = await cli.run('pets', 'import', 'bad.csv', '--rejects', file, ...options);
      expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(said) as unknown });
      const refused = readFileSync(join(cli.folder, file), 'utf8').split('\r\n');
      expect(refused).toHaveLength(27);
      expect(refused.slice(0, 2)).toEqual([
        'refusedLine,refusedBecause,name,categoryId',
        expect.stringMatching(/^7,categoryId .*,bad,x$/),
      ]);
      expect((statSync(join(cli.folder, file)).mode & 0o777).toString(8)).toBe('600');
    }
  });

  it('makes no file of refused rows where none is refused, nor one of another format', async () => {
    const before = readdirSync(cli.folder);
    const good = csv('good', 2);
    expect(await cli.run('pets', 'import', good, '--rejects', 'none.csv')).toMatchObject({ code: 0 });
    expect(await cli.run('pets', 'import', good, '--rejects', 'none.ndjson')).toMatchObject({ code: 2 });
    expect(readdirSync(cli.folder)).toEqual([...before, good].sort());
  });

  it.each([
    ['no.csv', [], 1, /^no\.csv .*ENOENT/],
    ['odd.txt', [], 2, /odd\.txt /],
    ['odd.csv', ['--format', 'xml'], 2, /--format <format>/],
    ['utf-16.csv', [], 1, /UTF-8/],
    ['odd.csv', [], 1, /^Line 1, .*"colour".* name, categoryId, status\.\n$/],
  ])('fails with a message: %s %j ends with %d', async (file, options, code, message) => {
    writeFileSync(join(cli.folder, 'odd.csv'), 'name,colour\n');
    writeFileSync(join(cli.folder, 'utf-16.csv'), 'name,categoryId\n', 'utf16le');
    const result = await cli.run('pets', 'import', file, ...options);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
  });

  it('imports what a pipe gives', async () => {
    execFileSync('mkfifo', [join(cli.folder, 'pipe')]);
    const writer = spawn('sh', ['-c', `exec cat ${csv('piped', 3)} > pipe`], { cwd: cli.folder });
    try {
      const words = ['pets', 'import', 'pipe', '--format', 'csv'];
      expect(await cli.json(...words)).toMatchObject({ imported: 3 });
    } finally {
      // Without a reader it would wait for one.
      writer.kill();
    }
    expect(await stored('piped')).toHaveLength(3);
  });

  it('removes what an import added, and names what it left alone', async () => {
    const { run } = await cli.json<{ run: number }>('pets', 'import', csv('few', 12));
    const { items } = await cli.json<{ items: { id: number }[] }>('audit', 'list', '--limit', '1');
    const batches = await cli.json('audit', 'list', '--within', String(items[0]?.id));
    expect(batches).toMatchObject({ items: [{ action: 'pets.import', after: { imported: 12 } }] });
    const [changed, removed] = (await stored('few ')).map(({ id }) => String(id)) as [string, string];
    await cli.run('pets', 'update', changed, '--status', 'sold');
    await cli.run('pets', 'remove', removed);
    const dry = await cli.json('pets', 'undo-import', String(run), '--dry-run');
    expect([dry, (await stored('few ')).length]).toEqual([
      { run, undone: 0, leftAlone: [], remaining: 12 },
      11,
    ]);
    expect((await cli.run('pets', 'undo-import', '987654', '--dry-run')).code).toBe(3);
    expect(await cli.run('pets', 'undo-import', String(run))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        `^.* changed .*: ${changed}\\.\n.* removed .*: ${removed}\\.\n10 .*\\b${run}\\b.*\n`,
      ) as unknown,
    });
    expect((await stored('few ')).map(({ id }) => String(id))).toEqual([changed]);
    expect(await cli.run('pets', 'undo-import', String(run))).toMatchObject({ code: 4 });
    expect(await cli.run('pets', 'undo-import', '987654')).toMatchObject({ code: 3 });
  });

  it('exports filtered records to standard output or a file, whole or not at all', async () => {
    await cli.run('pets', 'import', csv('out', 12));
    const written = await cli.run('pets', 'export', '--name', 'out ', '--output', 'out-again.csv');
    expect(written).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^12 .* out-again\.csv\.\nDatabase: .*\n$/) as unknown,
    });
    const lines = readFileSync(join(cli.folder, 'out-again.csv'), 'utf8').split('\r\n');
    expect(lines).toHaveLength(14);
    const piped = await cli.run('pets', 'export', '--name', 'out ');
    expect(piped.stdout.split('\r\n')).toEqual(lines);
    const pets = await cli.json<Pet[]>('pets', 'export', '--name', 'out 1', '--sort', 'name', '--desc');
    expect(pets.map(({ name }) => name)).toEqual(['out 11', 'out 10', 'out 1']);
    const nowhere = await cli.run('pets', 'export', '--output', 'no-such-folder/out.csv');
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ no-such-folder\/out\.csv /) as unknown,
    });
    const wrong = await cli.run('pets', 'export', '--sort', 'colour', '--output', 'wrong.csv');
    expect(wrong.code).toBe(2);
    const away = cli.with({ DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore' });
    expect(await away.run('pets', 'export', '--output', 'wrong.csv')).toMatchObject({ code: 1 });
    const left = readdirSync(cli.folder).filter((name) => name.startsWith('wrong') || name.endsWith('.part'));
    expect(left).toEqual([]);
  });

  it('tells of one row as one, and of rows that have no name, when it imports', async () => {
    writeFileSync(join(cli.folder, 'nameless.csv'), 'name,categoryId\n,61\n');
    const dry = await cli.run('pets', 'import', 'nameless.csv', '--dry-run');
    expect(dry.stderr).toMatch(/^1 row: 1 .* 0 .*\nLine 2 .*\n/);
    expect((await cli.run('pets', 'import', 'nameless.csv')).stderr).toMatch(/^1 row: 1 /);
    const again = await cli.run('pets', 'import', 'nameless.csv');
    expect(again.stderr).toContain(': 1 row, ');
    writeFileSync(join(cli.folder, 'refused.csv'), 'name,categoryId\n,61\n,62\nRex,x\n');
    const refused = await cli.run('pets', 'import', 'refused.csv', '--rejects', 'rejects.csv');
    expect(refused.stderr).toMatch(/^2 rows .* 2\.$/m);
    expect(refused.stderr).toMatch(/ refused row .* rejects\.csv/);
    const exported = await cli.run('pets', 'export', '--category-id', '62', '--output', 'single.csv');
    expect(exported.stderr).toMatch(/^1 pet .* single\.csv\./);
  });

  it('writes refused rows and exports over no file, such as its own database', async () => {
    writeFileSync(join(cli.folder, 'some.csv'), 'name,categoryId\ngood,1\n');
    const kept = join(cli.folder, 'kept');
    writeFileSync(kept, 'of somebody');
    symlinkSync('kept', join(cli.folder, 'kept-link'));
    for (const file of ['kept', 'kept-link', database.url.replace('sqlite:', '')]) {
      for (const options of [['--dry-run'], ['--again'], []]) {
        const result = await cli.run('pets', 'import', 'some.csv', '--rejects', file, ...options);
        expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(file) as string });
      }
      expect(await cli.run('pets', 'export', '--output', file)).toMatchObject({ code: 1 });
      expect(await cli.run('openapi', 'export', '--output', file)).toMatchObject({ code: 1 });
      expect(await cli.run('db', 'backup', file)).toMatchObject({ code: 1 });
    }
    expect(readFileSync(kept, 'utf8')).toBe('of somebody');
    expect(await cli.run('db', 'check')).toMatchObject({ code: 0 });
  });

  it('does not write refused rows into the file that it imports', async () => {
    const content = 'refusedLine,refusedBecause,name,categoryId\n2,bad,Rex,seven\n';
    writeFileSync(join(cli.folder, 'corrected.csv'), content);
    symlinkSync('corrected.csv', join(cli.folder, 'link.csv'));
    for (const rejects of ['corrected.csv', 'link.csv']) {
      const args = ['pets', 'import', 'corrected.csv', '--rejects', rejects, '--dry-run'];
      expect(await cli.run(...args)).toMatchObject({ code: 2 });
    }
    expect(readFileSync(join(cli.folder, 'corrected.csv'), 'utf8')).toBe(content);
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
