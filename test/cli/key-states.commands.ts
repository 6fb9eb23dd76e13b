import { randomBytes } from 'node:crypto';
import { describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { CliInProcess } from './support/cli-in-process';
import { execute } from './support/execute';

interface KeyJson {
  id: string;
}

const ISO_8601 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

const MANAGING = 'admin:keys,admin:read';

/** Stores a key past the CLI, with times so many days ago; gives its id. */
async function store(
  database: TestDatabase,
  daysAgo: Record<string, number> = {},
  scopes = 'pets:read',
): Promise<string> {
  const id = `key_${randomBytes(8).toString('hex')}`;
  const times = Object.values({ created_at: 200, ...daysAgo }).map((days) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    return `'${database.engine === 'sqlite' ? at.replace(/T(.*)Z/, ' $1') : at}'`;
  });
  const columns = ['created_at', ...Object.keys(daysAgo)];
  await execute(
    database,
    `INSERT INTO api_keys (id, token_hash, hint, name, scopes, lineage_id, ${columns.join()})
     VALUES ('${id}', '${id}', 'petk_', 'shop', '${scopes}', '${id}', ${times.join()})`,
  );
  return id;
}

describeOneEngine('petstore keys, of a key in whatever state,', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  const insert = (daysAgo: Record<string, number>, scopes?: string) => store(database, daysAgo, scopes);

  beforeAll(async () => {
    database = await createMigratedDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it('disables a key', async () => {
    const id = await insert({});
    expect(await cli.json('keys', 'disable', id)).toMatchObject({
      id,
      status: 'disabled',
      disabledAt: ISO_8601,
    });
  });

  it('updates name, owner, scopes and end of a key, and requires one of them', async () => {
    const id = await insert({});
    const words = '--name kiosk --owner ops --scopes pets:write,pets:read --expires-in 2w'.split(' ');
    expect(await cli.json('keys', 'update', id, ...words)).toMatchObject({
      name: 'kiosk',
      owner: 'ops',
      scopes: ['pets:read', 'pets:write'],
      expiresAt: ISO_8601,
    });
    expect(await cli.json('keys', 'update', id, '--no-owner', '--no-expiry')).toMatchObject({
      name: 'kiosk',
      owner: null,
      expiresAt: null,
    });
    const { code, stderr } = await cli.run('keys', 'update', id, '--scopes', 'pets:fly');
    expect([code, stderr]).toEqual([2, expect.stringContaining(' pets:fly ')]);
    expect((await cli.run('keys', 'update', id)).stderr).toContain(' --name, --owner,');
  });

  it('enables a key that was disabled', async () => {
    const id = await insert({ disabled_at: 1 });
    expect(await cli.json('keys', 'enable', id)).toMatchObject({ status: 'active', disabledAt: null });
  });

  it('refuses what the state of a key does not allow: exit code 4', async () => {
    const id = await insert({ disabled_at: 1 });
    expect(await cli.run('keys', 'rotate', id)).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining(id) as string,
    });
  });

  it.each(['disable', 'revoke'])('requires --yes to %s the last key that may manage keys', async (verb) => {
    const id = await insert({}, MANAGING);
    expect(await cli.run('keys', verb, id)).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/ --yes\.\n$/) as string,
    });
    expect(await cli.json('keys', 'show', id)).toMatchObject({ status: 'active' });
    expect(await cli.json('keys', verb, id, '--yes')).toMatchObject({ status: `${verb}d` });
  });

  it.each<[string[], string[]]>([
    [['--expiring'], ['expiring']],
    [['--never-used'], ['unused']],
    [['--disabling'], ['disabling']],
    [
      ['--idle', '--expiring'],
      ['expiring', 'idle'],
    ],
    [['--status', 'disabled'], ['disabled']],
  ])('lists the keys that the options leave: %j', async (filters, expected) => {
    const ids = {
      used: await insert({ last_used_at: 1 }),
      expiring: await insert({ last_used_at: 1, expires_at: -29 }),
      idle: await insert({ last_used_at: 91 }),
      unused: await insert({}),
      disabling: await insert({ last_used_at: 1, disables_at: -5 }),
      disabled: await insert({ last_used_at: 1, disabled_at: 1 }),
    };
    const listed = (await cli.json<KeyJson[]>('keys', 'list', ...filters)).map(({ id }) => id);
    expect(Object.keys(ids).filter((name) => listed.includes(ids[name as keyof typeof ids]))).toEqual(
      expected,
    );
  });

  it('finds keys by part of what is shown of them, in any letter case', async () => {
    const [id] = [await insert({}), await insert({})];
    const found = await cli.json<KeyJson[]>('keys', 'list', '--search', id.slice(4, 14).toUpperCase());
    expect(found.map((key) => key.id)).toEqual([id]);
  });
});

describe('petstore keys at a terminal', () => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createMigratedDatabase('sqlite');
    cli = new CliInProcess({ DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it.each([
    ['\n', 'active', 4],
    ['y\n', 'revoked', 0],
  ])('asks before it revokes: %j', async (typed, status, code) => {
    const id = await store(database);
    const answered = await cli.process.runOnTerminal(['keys', 'revoke', id], typed);
    expect(answered.stdout).toContain(`Revoke the API key ${id} (shop) for good? [y/N]`);
    expect(answered.code).toBe(code);
    expect(await cli.json('keys', 'show', id)).toMatchObject({ status });
  });

  it('does not ask when it is told not to', async () => {
    const { code, stdout } = await cli.process.runOnTerminal([
      'keys',
      'revoke',
      await store(database),
      '--yes',
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('[y/N]');
  });

  it.each(['disable', 'revoke'])(
    'asks before it runs %s on the last key that may manage keys',
    async (verb) => {
      const id = await store(database, {}, MANAGING);
      const declined = await cli.process.runOnTerminal(['keys', verb, id], '\n');
      expect([declined.code, declined.stdout]).toEqual([4, expect.stringContaining(id)]);
      expect(await cli.json('keys', 'show', id)).toMatchObject({ status: 'active' });
      const accepted = await cli.process.runOnTerminal(['keys', verb, id], 'y\n');
      expect(accepted.code).toBe(0);
      expect(await cli.json('keys', 'show', id)).toMatchObject({ status: `${verb}d` });
    },
  );
});
