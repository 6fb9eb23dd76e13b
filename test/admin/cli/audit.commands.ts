import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { execute } from '../../cli/support/execute';

interface Entry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  readonly before: object | null;
  readonly after: object | null;
}

interface Page {
  readonly items: readonly Entry[];
  readonly next: number | null;
}

/** More than are in memory at a time, and more than a pipe holds. */
const MANY = 1_500;

describeOneEngine('petstore audit', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;
  let id: string;
  let token: string;
  const actor = `cli:${userInfo().username}`;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    const create = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read'];
    ({ id, key: token } = await cli.json<{ id: string; key: string }>(...create));
    await cli.json('keys', 'disable', id);
    await cli.json('keys', 'enable', id);
  });
  afterAll(() => database.drop());

  it('lists who changed what, newest first, page by page', async () => {
    const { items: entries, next: end } = await cli.json<Page>('audit', 'list', '--subject', `keys/${id}`);
    expect(end).toBeNull();
    expect(entries).toMatchObject([
      { actor, action: 'keys.enable', before: { status: 'disabled' }, after: { status: 'active' } },
      { actor, action: 'keys.disable', before: { status: 'active' }, after: { status: 'disabled' } },
      { actor, action: 'keys.create', before: null, after: { id, name: 'shop' } },
    ]);
    expect(Object.keys(entries[0] ?? {})).toEqual(
      'id at actor action subjectType subjectId before after requestId address actorName whole'.split(' '),
    );
    const { stdout, stderr } = await cli.run('audit', 'list', '--limit', '1');
    expect(stdout.split('\n')[0]).toBe('ID\tAT\tACTOR\tACTION\tSUBJECT\tCHANGES\tREQUEST\tADDRESS');
    expect(stdout.split('\n')[1]).toContain('status: disabled → active');
    expect(stderr).toContain(`Next page: --after ${entries[0]?.id}\n`);
    const after = ['--after', String(entries[0]?.id)];
    const { items, next } = await cli.json<Page>('audit', 'list', ...after, '--limit', '1');
    expect(items.map(({ action }) => action)).toEqual(['keys.disable']);
    expect(next).toBe(items[0]?.id);
  });

  it('lists only the events that match the options', async () => {
    const list = async (...words: string[]) => (await cli.json<Page>('audit', 'list', ...words)).items.length;
    expect(await list('--action', 'keys.disable', '--actor', actor, '--from', '2026-01-01')).toBe(1);
    expect(await list('--to', '2026-01-01')).toBe(0);
  });

  it.each([
    [['list', '--subject', '/1'], /--subject <subject>/],
    [['list', '--from', 'yesterday'], /--from <time>/],
    [['list', '--limit', '10001'], /--limit <number>.*10000/],
    [['list', '--after', 'x'], /--after <id>/],
    [['export', '--format', 'xml'], /ndjson, csv, spreadsheet/],
  ])('names the option at fault, exit code 2: %j', async (words, message) => {
    const { code, stdout, stderr } = await cli.run('audit', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('exports all events as JSON lines and as CSV, without a token', async () => {
    const values = Array.from(
      { length: MANY },
      (_, index) => `(CURRENT_TIMESTAMP, 'cli:jo', 'many.touch', 'many', '${index + 1}', '=1+1')`,
    );
    await execute(
      database,
      `INSERT INTO audit_events (at, actor, action, subject_type, subject_id, request_id) VALUES ${values.join()}`,
    );
    const { code, stdout, stderr } = await cli.process.run('audit', 'export');
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        `^${(MANY + 3).toLocaleString('en')} changes were exported\\.\nDatabase: .*\n$`,
      ) as unknown,
    });
    expect(entries).toHaveLength(MANY + 3);
    expect(entries.map((entry) => entry.id)).toEqual(
      entries.map((entry) => entry.id).toSorted((a, b) => b - a),
    );
    expect(stdout).not.toContain(token);

    const csv = await cli.run('audit', 'export', '--format', 'csv', '--actor', 'cli:jo');
    const rows = parse<Record<string, string>>(csv.stdout, { columns: true });
    const marked = await cli.run('audit', 'export', '--format', 'spreadsheet', '--actor', 'cli:jo');
    expect(marked.stdout).toBe(`\ufeff${csv.stdout}`);
    expect(rows).toHaveLength(MANY);
    expect(rows[0]).toMatchObject({
      subjectId: String(MANY),
      actor: 'cli:jo',
      before: '',
      requestId: "'=1+1",
    });
  });

  it('exports into a new file, and never overwrites one', async () => {
    const file = join(cli.folder, `${engine}.ndjson`);
    expect(await cli.run('audit', 'export', '--subject', 'keys', '--output', file)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^3 /) as unknown,
    });
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
    writeFileSync(file, 'precious');
    const { code, stderr } = await cli.run('audit', 'export', '--output', file);
    expect([code, stderr.includes(file)]).toEqual([1, true]);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    const nowhere = join(cli.folder, 'none', 'file');
    expect((await cli.run('audit', 'export', '--output', nowhere)).code).toBe(1);
    expect(existsSync(nowhere)).toBe(false);
  });

  it('ends quietly when its reader closes the pipe', async () => {
    const child = cli.process.start('audit', 'export');
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const code = await new Promise((resolve) => void child.on('close', resolve));
    expect(code).toBe(0);
    expect(stderr).not.toContain('EPIPE');
  });
});

describe('Commands about audit, reports and keys with the database away', () => {
  const cli = new CliInProcess({ DATABASE_URL: 'postgres://petstore:s3cret@127.0.0.1:1/petstore' });

  it.each([
    ['audit', 'list'],
    ['audit', 'export'],
    ['report', 'usage'],
    ['report', 'deprecations'],
    ['keys', 'disable', 'key_0000000000000000'],
  ])('fail with one sentence without the password, exit code 1: %s %s', async (...words) => {
    const { code, stdout, stderr } = await cli.run(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/127\.0\.0\.1:1.*\n$/);
    expect(stderr).not.toContain('s3cret');
  });
});
