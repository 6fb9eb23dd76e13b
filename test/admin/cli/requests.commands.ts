import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { LoggedRequest } from '../../../src/platform/request-log/logged-request.entity';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { firstIdAt } from '../../../src/platform/request-log/logged-request-id';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';

interface Item {
  readonly id: number;
  readonly requestId: string;
  readonly operation: string | null;
  readonly keyName: string | null;
}

describeOneEngine('petstore requests', (engine) => {
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService(engine);
    // On a slow machine a command has slow statements, and would list itself.
    cli = new CliInProcess({ DATABASE_URL: service.database.url, REQUEST_LOG_DAYS: '0' });
    const begin = Date.parse('2026-02-01T00:00:00Z');
    await store(
      ...Array.from({ length: 30 }, (_, i) => ({
        ...REQUEST,
        id: firstIdAt(begin + i),
        at: new Date(begin + i),
        requestId: `id-${i}`,
        durationMs: i,
      })),
    );
  });
  afterAll(() => service.stop());

  const REQUEST = {
    traceId: null,
    keyId: null,
    method: 'GET',
    route: '/v1/pets/{petId}',
    status: 404,
    outcome: 'refused',
    code: 'pet_not_found',
    message: 'There is no such pet.',
    durationMs: 1,
    address: '192.0.2.1',
    node: 'web-1',
  } as const;

  const store = (...rows: LoggedRequest[]) =>
    service.app.get(DataSource).getRepository(LoggedRequest).insert(rows);
  const list = (...words: string[]) =>
    cli.json<{ items: Item[]; next: number | null }>('requests', 'list', ...words);
  const ids = async (...words: string[]) => (await list(...words)).items.map(({ requestId }) => requestId);

  it('lists requests newest first, page by page', async () => {
    const { items, next } = await list('--limit', '2');
    expect(items.map(({ requestId, operation }) => [requestId, operation])).toEqual([
      ['id-29', 'getPet'],
      ['id-28', 'getPet'],
    ]);
    expect(await ids('--limit', '1', '--after', String(next))).toEqual(['id-27']);
    const { stdout, stderr } = await cli.run('requests', 'list', '--limit', '1');
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'REQUEST\tAT\tOPERATION\tSTATUS\tCODE\tKEY NAME\tMS\tWAIT MS\tKEY\tADDRESS\tNODE',
      'id-29\t2026-02-01T00:00:00.029Z\tgetPet\t404\tpet_not_found\t-\t29\t-\t-\t192.0.2.1\tweb-1',
    ]);
    expect(stderr).toContain(`Next page: --after ${items[0]?.id}\n`);
  });

  it('lists only the requests that match the options', async () => {
    expect(await ids('--min-duration', '28')).toEqual(['id-29', 'id-28']);
    expect(await ids('--request', 'id-3', '--code', 'pet_not_found', '--status', '404')).toEqual(['id-3']);
    expect(await ids('--operation', 'GET /v1/pets/{petId}', '--limit', '1', '--outcome', 'refused')).toEqual([
      'id-29',
    ]);
    for (const none of [
      ['--operation', 'listPets'],
      ['--node', 'x'],
      ['--address', '::1'],
      ['--key', 'key_x'],
    ]) {
      expect(await ids(...none)).toEqual([]);
    }
    expect(await ids('--key', 'none', '--limit', '1')).toEqual(['id-29']);
    expect(await ids('--from', '2026-02-02')).toEqual([]);
    expect(await ids('--to', '2026-02-01T00:00:00.001Z')).toEqual(['id-0']);
  });

  it('shows a request by the id that its client quotes', async () => {
    const { items } = await cli.json<{ items: Item[] }>('requests', 'show', 'id-7');
    expect(items).toMatchObject([
      { ...REQUEST, durationMs: 7, requestId: 'id-7', operation: 'getPet', keyName: null },
    ]);
    expect((await cli.run('requests', 'show', 'id-7')).stdout).toContain(`message\t${REQUEST.message}\n`);
    const missing = await cli.run('requests', 'show', 'id-77');
    expect([missing.code, missing.stdout]).toEqual([3, '']);
  });

  it.each([
    [['list', '--status', '4xx'], 2, /--status <number>/],
    [['list', '--outcome', 'bad'], 2, /succeeded, refused, failed, aborted/],
    [['list', '--limit', '1001'], 2, /1000/],
    [['list', '--operation', 'nothing'], 3, / nothing/],
  ])('names the wrong option: %j', async (words, code, message) => {
    const result = await cli.run('requests', ...words);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(message);
  });

  it('follows the log of all nodes, and ends at Ctrl+C', async () => {
    const child = cli.process.start('requests', 'tail', '--last', '1', '--json');
    const seen: string[] = [];
    child.stdout.setEncoding('utf8');
    const has = async (text: string) => {
      while (!seen.join('').includes(text)) seen.push(String((await once(child.stdout, 'data'))[0]));
    };
    await has('"id-29"');
    const at = new Date();
    await store({ ...REQUEST, id: firstIdAt(at), at, requestId: 'id-new' });
    await has('"id-new"');
    // A node whose clock is behind, or that had to wait for the database.
    const earlier = new Date(at.getTime() - 3_000);
    await store({ ...REQUEST, id: firstIdAt(earlier), at: earlier, requestId: 'id-late' });
    await has('"id-late"');
    child.kill('SIGINT');
    await once(child, 'close');
    const lines = seen.join('').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Item).requestId)).toEqual(['id-29', 'id-new', 'id-late']);
    expect(child.exitCode).toBe(0);
  });

  it('follows those that match as a table with one header', async () => {
    const child = cli.process.start('requests', 'tail', '--node', 'web-2');
    let seen = '';
    child.stdout.on('data', (text: Buffer) => (seen += text.toString()));
    await until(() => seen.includes('\n'));
    for (const requestId of ['id-first', 'id-second']) {
      const at = new Date();
      await store(
        { ...REQUEST, id: firstIdAt(at), at, requestId, node: 'web-2' },
        { ...REQUEST, id: firstIdAt(at) + 1n, at, requestId: 'id-other' },
      );
      await until(() => seen.includes(requestId));
    }
    child.kill('SIGINT');
    await once(child, 'close');
    const firsts = seen
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect([child.exitCode, firsts]).toEqual([0, ['REQUEST', 'id-first', 'id-second']]);
  });

  it('appear in the history of a record, beside the changes of operators', async () => {
    const posted = await service.post(
      '/v1/pets',
      { name: 'Posted', categoryId: 1 },
      { 'x-request-id': 'c-1' },
    );
    const { id } = (await posted.json()) as { id: number };
    await service.app.get(RequestLog).write();
    for (const status of ['sold', 'pending']) {
      expect((await cli.run('pets', 'update', String(id), '--status', status)).code).toBe(0);
    }
    const words = ['pets', 'history', String(id), '--limit', '2'];
    const { items, next } = await cli.json<{ items: object[]; next: string }>(...words);
    expect(items).toMatchObject([
      { action: 'pets.update', after: { status: 'pending' }, operation: null },
      { action: 'pets.update', after: { status: 'sold' } },
    ]);
    const older = await cli.json<{ items: object[]; next: null }>(...words, '--after', next);
    expect(older).toEqual({
      items: [
        {
          id: null,
          at: expect.stringMatching(/Z$/),
          actor: expect.stringMatching(/^key_/),
          action: 'pets.create',
          subjectType: 'pets',
          subjectId: String(id),
          before: null,
          after: null,
          requestId: 'c-1',
          address: '127.0.0.1',
          actorName: null,
          whole: null,
          operation: 'createPet',
        },
      ],
      next: null,
    });
    const { stdout, stderr } = await cli.run(...words, '--after', next);
    expect(stdout).toMatch(/\n-\t[^\t]+\tkey_\w+\tpets\.create\tcreatePet, request c-1\n$/);
    expect(stderr).toBe('');
    expect((await cli.run(...words)).stderr).toMatch(
      new RegExp(`^Next page: --after ${next}\nDatabase: .*\n$`),
    );
    expect(await cli.run(...words, '--after', '12')).toMatchObject({ code: 2 });
    const off = new CliInProcess({ DATABASE_URL: service.database.url, RECORD_HISTORY_DAYS: '0' });
    expect((await off.run(...words)).stderr).toContain('RECORD_HISTORY_DAYS is 0');
  });
});
