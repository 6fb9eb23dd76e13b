import { join } from 'node:path';
import { describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase, migrate } from '../support/databases/migrated-database';
import { ofNextRelease } from '../support/databases/with-schema';
import { CliInProcess } from './support/cli-in-process';
import { execute } from './support/execute';

interface KeyJson {
  id: string;
  key: string;
  status: string;
  expiresAt: string;
  revokedAt: string | null;
}

const ISO_8601 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
const TOKEN = /petk_[0-9A-Za-z]{49}/;
const MEMBERS =
  'id key name scopes owner hint status lineageId createdAt expiresAt disabledAt revokedAt lastUsedAt networks limitPerMinute quotaPerMonth disablesAt'.split(
    ' ',
  );

describeOneEngine('petstore keys', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  const create = (...more: string[]) =>
    cli.json<KeyJson>('keys', 'create', '--name', 'shop', '--scopes', 'pets:read', ...more);

  beforeAll(async () => {
    database = await createMigratedDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it('creates a key and prints it as JSON, with null for what is not set', async () => {
    const { code, stdout, stderr } = await cli.run(
      'keys',
      'create',
      '--name',
      'shop',
      '--scopes',
      'pets:write, pets:read',
      '--json',
    );
    const key = JSON.parse(stdout) as KeyJson;
    expect(Object.keys(key)).toEqual(MEMBERS);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/) as unknown,
      key: expect.stringMatching(TOKEN) as unknown,
      name: 'shop',
      scopes: ['pets:read', 'pets:write'],
      owner: null,
      hint: `${key.key.slice(0, 9)}…${key.key.slice(-4)}`,
      status: 'active',
      lineageId: key.id,
      createdAt: ISO_8601,
      expiresAt: null,
      disabledAt: null,
      revokedAt: null,
      lastUsedAt: null,
      networks: [],
      limitPerMinute: null,
      quotaPerMonth: null,
      disablesAt: null,
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^.+\n$/) as string,
    });
  });

  it('shows the token, id and end of a new key', async () => {
    const { stdout } = await cli.run('keys', 'create', '--name', 'shop', '--scopes', 'pets:read');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows).toEqual([
      ['FIELD', 'VALUE'],
      ['key', expect.stringMatching(TOKEN)],
      ['id', expect.stringMatching(/^key_[0-9a-f]{16}$/)],
      ['expires', 'never'],
    ]);
  });

  it('accepts an owner and a lifetime', async () => {
    const before = Date.now();
    const { id } = await create('--owner', 'ops@example.com', '--expires-in', '90d');
    const shown = await cli.json<KeyJson>('keys', 'show', id);
    expect(shown).toMatchObject({ owner: 'ops@example.com', status: 'active' });
    const lifetime = Date.parse(shown.expiresAt) - before;
    expect(Math.round(lifetime / 86_400_000)).toBe(90);
  });

  it('accepts scopes in several options', async () => {
    expect(await create('--scopes', 'pets:write')).toMatchObject({ scopes: ['pets:read', 'pets:write'] });
  });

  it('never shows a token again, and never a hash', async () => {
    const { id, key } = await create();
    const outputs = [
      await cli.run('keys', 'list'),
      await cli.run('keys', 'list', '--json'),
      await cli.run('keys', 'show', id, '--json'),
    ];
    for (const { code, stdout } of outputs) {
      expect(code).toBe(0);
      expect(stdout).toContain(id);
      expect(stdout).toContain(`${key.slice(0, 9)}…${key.slice(-4)}`);
      expect(stdout).not.toMatch(TOKEN);
      expect(stdout).not.toMatch(/[0-9a-f]{64}/);
    }
  });

  it('lists keys, oldest first, as tab-separated lines and as JSON', async () => {
    const { id } = await create();
    const json = await cli.json<KeyJson[]>('keys', 'list');
    expect(json.at(-1)).toMatchObject({ id, name: 'shop', status: 'active' });
    expect(Object.keys(json[0] ?? {})).toEqual(MEMBERS.filter((member) => member !== 'key'));

    const { code, stdout, stderr } = await cli.run('keys', 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('ID\tNAME\tHINT\tSCOPES\tOWNER\tSTATUS\tCREATED\tEXPIRES\tLAST USED\tREPLACED BY');
    expect(lines).toHaveLength(json.length + 1);
    expect(lines.at(-1)?.split('\t')).toHaveLength(10);
    expect(lines.at(-1)).toContain(id);
  });

  it('escapes control characters in a name', async () => {
    const name = 'a\u001b[2Jb\tc\nd';
    const { id } = await cli.json<KeyJson>('keys', 'create', '--name', name, '--scopes', 'pets:read');
    const { stdout } = await cli.run('keys', 'list');
    const line = stdout.split('\n').find((candidate) => candidate.startsWith(id));
    expect(line?.split('\t')[1]).toBe('a\\u{1b}[2Jb\\u{9}c\\u{a}d');
  });

  it('rotates a key, which works beside its successor until the overlap ends', async () => {
    const { id } = await create();
    const before = Date.now();
    const successor = await cli.json<KeyJson & { predecessor: KeyJson }>(
      'keys',
      'rotate',
      id,
      '--overlap',
      '2h',
    );
    expect(successor).toMatchObject({ key: expect.stringMatching(TOKEN) as unknown, lineageId: id });
    expect(successor.id).not.toBe(id);
    expect(successor.predecessor).toMatchObject({ id, status: 'active' });
    expect(Math.round((Date.parse(successor.predecessor.expiresAt) - before) / 3_600_000)).toBe(2);
    expect(successor.predecessor).not.toHaveProperty('key');
  });

  it('rotates with an overlap of a day by default, and with none when told to', async () => {
    const [first, second] = [await create(), await create()];
    const before = Date.now();
    await cli.run('keys', 'rotate', first.id);
    await cli.run('keys', 'rotate', second.id, '--overlap', '0');
    const { expiresAt } = await cli.json<KeyJson>('keys', 'show', first.id);
    expect(Math.round((Date.parse(expiresAt) - before) / 3_600_000)).toBe(24);
    expect(await cli.json('keys', 'show', second.id)).toMatchObject({ status: 'expired' });
  });

  it('creates a key with rules, changes them and its owner, and removes them', async () => {
    const networks = ['--network', '192.0.2.7', '--network', '2001:DB8::/32'];
    const { id } = await create(...networks, '--limit', '100', '--quota', '5000');
    const made = { networks: ['192.0.2.7/32', '2001:db8::/32'], limitPerMinute: 100, quotaPerMonth: 5_000 };
    expect(await cli.json('keys', 'show', id)).toMatchObject(made);
    expect((await cli.run('keys', 'show', id)).stdout).toContain('limitPerMinute\t100\n');
    const changed = await cli.run('keys', 'update', id, '--limit', '7', '--owner', 'Kim', '--json');
    expect(JSON.parse(changed.stdout)).toMatchObject({ ...made, limitPerMinute: 7, owner: 'Kim' });
    expect(changed.stderr).toMatch(/^.*\n$/);
    expect(await cli.json('keys', 'update', id, '--no-network', '--no-limit', '--no-quota')).toMatchObject({
      networks: [],
      limitPerMinute: null,
      quotaPerMonth: null,
      owner: 'Kim',
    });
  });

  it.each([
    [
      ['--network', '192.0.2.0/33'],
      /Write a network as 192\.0\.2\.0\/24 or 2001:db8::\/32; "192\.0\.2\.0\/33" is not one\./,
    ],
    [['--limit', '0'], /--limit .*10000000/],
  ])('refuses to update a key with %j: exit code 2', async (options, said) => {
    const { code, stderr } = await cli.run('keys', 'update', 'key_0000000000000000', ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) as unknown });
  });

  it('revokes a key', async () => {
    const { id } = await create();
    expect(await cli.json<KeyJson>('keys', 'revoke', id)).toMatchObject({
      id,
      status: 'revoked',
      revokedAt: ISO_8601,
    });
  });

  it('reports a key that does not exist: exit code 3', async () => {
    expect(await cli.run('keys', 'show', 'key_0000000000000000')).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('key_0000000000000000') as string,
    });
  });

  it('does not repeat a token that was given where an id belongs', async () => {
    const { key } = await create();
    const { code, stdout, stderr } = await cli.run('keys', 'show', key);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain(key);
    expect((await cli.run(key)).stderr).toMatch(/unknown command 'petk_\[redacted\]'/);
  });

  it('says how to migrate an outdated database, and leaves it unchanged: exit code 1', async () => {
    const behind = await createMigratedDatabase(engine);
    const late = cli.with({ DATABASE_URL: behind.url, MIGRATE_ON_START: 'false' });
    const applied = () => execute(behind, 'SELECT name FROM migrations ORDER BY id');
    const before = await applied();
    const { code, stdout, stderr } = await ofNextRelease(() => late.run('keys', 'list'));
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('"petstore db migrate"') as string,
    });
    expect(await applied()).toEqual(before);
    await behind.drop();
  });
});

describe('petstore keys on a new database', () => {
  it('migrates SQLite between an upgrade and the next start', async () => {
    const cli = new CliInProcess();
    const file = join(cli.folder, 'data', 'petstore.sqlite');
    await migrate(`sqlite:${file}`);
    const { code, stderr } = await ofNextRelease(() => cli.run('keys', 'list'));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(`^.+\nDatabase: ${file}\n$`) as string,
    });
  });
});
