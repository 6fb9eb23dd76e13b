import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { DataSource } from 'typeorm';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity';
import { ScheduledJob } from '../../../src/platform/jobs/scheduled-job.entity';
import { LoggedRequest } from '../../../src/platform/request-log/logged-request.entity';
import { firstIdAt } from '../../../src/platform/request-log/logged-request-id';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { CliInProcess } from '../../cli/support/cli-in-process';

const COLUMNS = 80;
const LONG = 'a name of a till at the corner of the longest street of the town';
const WIDE = '子犬のペットショップ🐶 子犬のペットショップ🐶 子犬のペットショップ🐶';
const UUID = '0c3052d8-d775-4473-8236-2945b081b276';

const REQUEST = {
  traceId: null,
  keyId: 'key_0123456789abcdef',
  method: 'POST',
  route: '/v1/pets',
  status: 422,
  outcome: 'refused',
  code: 'idempotency_key_reused',
  message: 'x',
  durationMs: 12_345.678,
  waitMs: 12.345,
  address: '2001:db8:1234:5678:9abc:def0:1234:5678',
} as const;

describeOneEngine('A terminal of 80 columns', (engine) => {
  let service: TestService;
  let cli: CliInProcess;
  let terminal: CliInProcess;
  let keyId: string;

  beforeAll(async () => {
    service = await startTestService(engine);
    // On a slow machine a command has slow statements, and would list itself.
    cli = new CliInProcess({ DATABASE_URL: service.database.url, REQUEST_LOG_DAYS: '0' });
    terminal = cli.with({});
    terminal.columns = COLUMNS;
    const create = ['keys', 'create', '--scopes', 'pets:read,pets:write,admin:read,admin:keys'];
    for (const name of [LONG, WIDE]) await cli.json(...create, '--owner', LONG, '--name', name);
    const { id } = await cli.json<{ id: string }>(...create, '--name', 'shop', '--expires-in', '90d');
    keyId = id;
    await cli.json('keys', 'rotate', id);
    for (const name of [LONG, WIDE]) {
      const pet = await cli.json<{ id: number }>('pets', 'create', '--name', 'Rex', '--category-id', '1');
      await cli.json('pets', 'update', String(pet.id), '--name', name, '--status', 'sold');
    }
    const begin = Date.parse('2026-02-01T12:34:56Z');
    await service.app
      .get(DataSource)
      .getRepository(LoggedRequest)
      .insert(
        [UUID, 'order-2026-of-a-client-that-makes-ids-of-its-own'].map((requestId, i) => ({
          ...REQUEST,
          id: firstIdAt(begin + i),
          at: new Date(begin + i),
          requestId,
          node: 'a-node-of-the-longest-name-of-all',
        })),
      );
    await service.app
      .get(DataSource)
      .getRepository(ScheduledJob)
      .insert({
        name: 'MonthlyReportsOfTheWholeShop.send',
        schedule: '0 3 * * * UTC',
        dueAt: new Date('2046-01-31T12:34:56.000Z'),
        startedAt: new Date('2026-01-31T12:34:56.000Z'),
        error: `Error: ${LONG}`,
      });
  });
  afterAll(() => service.stop());

  /** Lines of a list, and the words of all of them, as a person reads them. */
  async function shown(...words: string[]): Promise<{ lines: string[]; said: string }> {
    const { code, stdout } = await terminal.run(...words);
    expect(code).toBe(0);
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
    return { lines, said: lines.join(' ').replaceAll(/ +/g, ' ') };
  }

  it.each([
    'requests list',
    'keys list',
    'audit list',
    'jobs list',
    'pets list',
    'report usage',
    'report keys',
    'report deprecations',
  ])('has room for %s', async (words) => {
    const { lines } = await shown(...words.split(' '));
    expect(lines.filter((line) => stringWidth(line) > COLUMNS)).toEqual([]);
  });

  it('shows when and why a request was refused, with an id that shows the request', async () => {
    const { lines } = await shown('requests', 'list', '--to', '2026-02-02');
    expect(lines.slice(0, 3)).toEqual([
      'REQUEST       AT               OPERATION  STATUS  CODE',
      'order-2026-…  02-01 12:34:56Z  createPet  422     idempotency_key_reused',
      '0c3052d8      02-01 12:34:56Z  createPet  422     idempotency_key_reused',
    ]);
    const { items } = await cli.json<{ items: object[] }>('requests', 'show', '0c3052d8');
    expect(items).toMatchObject([{ requestId: UUID }]);
    expect((await cli.run('requests', 'show', '0c3052d9')).code).toBe(3);
    const found = await cli.json<{ items: { command: string }[] }>('find', '0c3052d8');
    expect(found.items.map(({ command }) => command)).toEqual([expect.stringContaining(UUID)]);
  });

  it('shows when each key expires and was used', async () => {
    const { lines } = await shown('keys', 'list');
    const expires = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(lines.find((line) => line.includes(keyId))).toMatch(new RegExp(`^\\S+ {2}shop .* ${expires}`));
    expect(lines.find((line) => line.includes(LONG.slice(0, 15)))).toBeDefined();
  });

  it('shows all that a change has changed', async () => {
    const { said } = await shown('audit', 'list', '--action', 'pets.update');
    expect(said).toContain(`name: Rex → ${LONG}; status: - → sold`);
    expect(said).toContain(`name: Rex → ${WIDE}; status: - → sold`);
  });

  it('shows when a job runs, and why it has failed', async () => {
    const { lines, said } = await shown('jobs', 'list');
    expect(lines.join('\n')).toMatch(/^Monthly\S+ {2}2046-01-31 12:34Z {2}2026-01-31 12:34Z$/m);
    expect(said).toContain(`Error: ${LONG}`);
  });

  it('shows the columns that are asked for, all of them, or JSON', async () => {
    const chosen = await shown('keys', 'list', '-o', 'name,last-used,scopes');
    expect(chosen.lines[0]).toMatch(/^NAME +LAST USED +SCOPES$/);
    const wide = await shown('requests', 'list', '-o', 'wide');
    expect(wide.lines[0]).toMatch(/ MS +WAIT MS +KEY +ADDRESS +NODE$/);
    expect(wide.said).not.toContain('Not shown');
    const { stdout } = await terminal.run('requests', 'list', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ items: [{}, {}] });
    expect(await terminal.run('keys', 'list', '-o', 'name,colour')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('last-used'),
    });
  });

  it('names the key that made a change', async () => {
    await service.app
      .get(DataSource)
      .getRepository(AuditEvent)
      .insert({
        ...{ at: new Date(), actor: keyId, action: 'pets.remove', subjectType: 'pets', subjectId: '4711' },
      });
    const { lines } = await shown('audit', 'list', '--subject', 'pets/4711');
    expect(lines[1]).toMatch(/ key_\w+ \(shop\) +pets\.remove /);
    const { stdout } = await cli.run('audit', 'list', '--subject', 'pets/4711');
    expect(stdout).toContain(`\t${keyId} (shop)\t`);
  });

  it('shows the hint and the scopes of each key', async () => {
    const { lines } = await shown('keys', 'list');
    const line = lines.findIndex((each) => each.startsWith(keyId));
    expect(lines[0]).toMatch(/^ID +NAME +HINT +STATUS +EXPIRES$/);
    expect(lines[line]).toMatch(/^\S+ {2}shop +…\w{4} {2}active /);
    expect(lines[line + 1]).toBe('    admin:keys, admin:read, pets:read, pets:write');
  });

  it('shows the whole report of deprecations', async () => {
    const { lines } = await shown('report', 'deprecations');
    expect(lines.join('\n')).not.toContain('…');
  });

  it('names the columns that it has no room for, which a pipe has', async () => {
    const { said } = await shown('requests', 'list');
    const omitted = ['NODE', 'WAIT MS', 'ADDRESS', 'KEY', 'MS'];
    expect(said).toContain(`: ${omitted.join(', ')}.`);
    const [header = '', row = ''] = (await cli.run('requests', 'list', '--to', '2026-02-02')).stdout.split(
      '\n',
    );
    expect(header.split('\t')).toEqual(expect.arrayContaining(omitted));
    expect(row.split('\t')).toContain('a-node-of-the-longest-name-of-all');
  });

  it('gets no control character of an argument, nor of a name in an export', async () => {
    const drives = '\u001b[31mRed\u009b2J\u202e\rx';
    const { id } = await cli.json<{ id: number }>('pets', 'create', '--name', drives, '--category-id', '77');
    const own = ['--category-id', '77', '--format'];
    for (const words of [
      ['pets', 'show', drives],
      [drives],
      ['pets', 'import', drives, '--format', 'csv'],
      ['pets', 'show', String(id), '--json'],
      ...['csv', 'spreadsheet', 'ndjson'].map((format) => ['pets', 'export', ...own, format]),
    ]) {
      const { stdout, stderr } = await terminal.run(...words);
      expect([words, /Red/.test(stdout + stderr)]).toEqual([words, true]);
      expect([words, /[^\P{C}\t\n]/u.exec((stdout + stderr).replaceAll('\r\n', '\n'))]).toEqual([
        words,
        null,
      ]);
    }
    expect((await cli.run('pets', 'export', ...own, 'csv')).stdout).toContain(drives);
  });

  it('breaks the lines of doctor at blanks', async () => {
    const { lines, said } = await shown('doctor');
    const { checks } = await cli.json<{ checks: { found: string }[] }>('doctor');
    const words = new Set(checks.flatMap(({ found }) => found.split(' ')).filter((word) => word.length > 56));
    const tooLong = lines.filter((line) => line.length > COLUMNS);
    expect(tooLong.filter((line) => ![...words].some((word) => line.includes(word)))).toEqual([]);
    for (const { found } of checks.filter((each) => !/\d ms|GiB|Z;/.test(each.found)))
      expect(said).toContain(found);
  });
});
