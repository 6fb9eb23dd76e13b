import { readdirSync } from 'node:fs';
import { recordCommands } from '../../../src/admin/records/commands/records.command';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { MembersModule } from '../../support/members.module';
import { CliInProcess } from '../../cli/support/cli-in-process';

interface Pet {
  id: number;
  name: string;
  status?: string;
  createdAt: string;
  removedAt: string | null;
  version: string;
}

/** The words before the name. */
const CREATE = ['pets', 'create', '--category-id', '3', '--name'];

interface Items<Item> {
  items: Item[];
  next: number | null;
}

describeOneEngine('petstore pets', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    await cli.run('seed', '--count', '30');
  });
  afterAll(() => database.drop());

  const get = (id: number) => cli.json<Pet>('pets', 'show', String(id));
  const create = (...nameAndOptions: string[]) => cli.json<Pet>(...CREATE, ...nameAndOptions);

  it('lists filtered and sorted records page by page', async () => {
    const all = await cli.json<Items<Pet>>('pets', 'list', '--sort', 'name', '--limit', '100');
    expect(all.next).toBeNull();
    expect(all.items).toHaveLength(30);
    const seen: number[] = [];
    let page = await cli.json<Items<Pet>>('pets', 'list', '--sort', 'name', '--limit', '20');
    seen.push(...page.items.map(({ id }) => id));
    page = await cli.json<Items<Pet>>('pets', 'list', '--sort', 'name', '--after', String(page.next));
    seen.push(...page.items.map(({ id }) => id));
    expect(seen).toEqual(all.items.map(({ id }) => id));
    const sold = await cli.json<Items<Pet>>('pets', 'list', '--status', 'sold', '--from', '2026-01-01');
    expect(sold.items.map(({ id }) => id)).toEqual(
      all.items
        .filter(({ status }) => status === 'sold')
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    );
    expect((await cli.json<Items<Pet>>('pets', 'list', '--to', '2026-01-01T00:00:00Z')).items).toEqual([]);
  });

  it('prints tab-separated lines in a pipe, with the option for the next page', async () => {
    const piped = await cli.run('pets', 'list', '--limit', '2', '--desc');
    expect(piped.code).toBe(0);
    expect(piped.stdout).toMatch(
      /^ID\tNAME\tCATEGORY ID\tSTATUS\tADDED\tREMOVED\n\d+\t[^\t]+\t\d+\t[^\t]+\t\d{4}-[^\t]+Z\t-\n.*\n$/,
    );
    expect(piped.stderr).toMatch(/^Next page: --after \d+\nDatabase: \S.*\n$/);
  });

  it('prints the members of the API with every digit of an integer', async () => {
    const { code, stdout } = await cli.run(
      ...['pets', 'create', '--name', ' 7\t=x', '--category-id', '-9223372036854775808', '--json'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\{\n {2}"id": \d+,\n {2}"name": " 7\\t=x",\n {2}"categoryId": -9223372036854775808,\n {2}"createdAt": "[^"]+Z",\n {2}"removedAt": null,\n {2}"version": "[\w-]+"\n\}\n$/,
    );
  });

  it('changes one with an audit event, and refuses a caller that has not seen the last change', async () => {
    const { id, version } = await create('Rex', '--status', 'available');
    const words = ['pets', 'update', String(id), '--status', 'sold', '--if-version', version];
    expect((await cli.run(...words)).code).toBe(0);
    const stale = await cli.run(...words);
    expect(stale.code).toBe(4);
    expect(stale.stderr).toMatch(new RegExp(` ${id} .*cli:`));
    expect((await cli.run('pets', 'update', String(id), '--status', '')).code).toBe(0);
    expect((await get(id)).status).toBeUndefined();
    const unset = await cli.json<Items<Pet>>('pets', 'list', '--not-set', 'status', '--desc', '--limit', '1');
    expect(unset.items).toMatchObject([{ id }]);
    const { items } = await cli.json<Items<object>>('pets', 'history', String(id));
    expect(items).toMatchObject([
      { action: 'pets.update', before: { status: 'sold' }, after: { id, name: 'Rex' } },
      { action: 'pets.update', before: { status: 'available' }, after: { status: 'sold' } },
      { action: 'pets.create', before: null, after: { id, status: 'available' } },
    ]);
    expect((await cli.run('pets', 'history', String(id))).stdout).toMatch(
      /\tcli:\w+\tpets\.update\tstatus: sold → -\n/,
    );
  });

  it('shows one as a table', async () => {
    const { id } = await create('Shown');
    const { code, stdout } = await cli.run('pets', 'show', String(id));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^id\\t${id}$[^]*^name\\tShown$`, 'm')),
    ]);
  });

  it('removes and restores one', async () => {
    const { id } = await create('Ghost');
    expect(await cli.json('pets', 'remove', String(id), '--yes')).toEqual({ removed: id });
    expect((await get(id)).removedAt).not.toBeNull();
    const listed = await cli.json<Items<Pet>>('pets', 'list', '--removed', 'only');
    expect(listed.items.map((pet) => pet.id)).toEqual([id]);
    expect(await cli.run('pets', 'update', String(id), '--name', 'x')).toMatchObject({ code: 4 });
    expect((await cli.run('pets', 'restore', String(id))).code).toBe(0);
    expect(await cli.run('pets', 'restore', String(id))).toMatchObject({ code: 4 });
  });

  it('changes many, and only if they are as many as expected', async () => {
    for (const name of ['in bulk a', 'In Bulk b', 'in bulk c']) await create(name, '--status', 'pending');
    const words = ['pets', 'update-all', '--name', 'in bulk', '--set-status', 'sold'];
    expect(await cli.run(...words)).toMatchObject({ code: 2 });
    expect(await cli.json(...words, '--dry-run')).toEqual({ matched: 3, changed: 0 });
    expect(await cli.run(...words, '--set-category-id', 'x', '--dry-run')).toMatchObject({ code: 2 });
    const other = await cli.run(...words, '--expect', '4');
    expect(other).toMatchObject({ code: 4, stderr: expect.stringMatching(/^3 .*4/) });
    const { change, ...counts } = await cli.json<{ change: number }>(...words, '--expect', '3');
    expect(counts).toEqual({ matched: 3, changed: 3, leftAlone: [], stopped: null });
    expect(await cli.json(...words, '--yes')).toMatchObject({ matched: 3, changed: 0, change: null });
    // One entry of the audit log, which opens into three.
    const { stdout } = await cli.run('audit', 'list', '--limit', '1');
    expect(stdout).toContain('\tpets.update_all\t3 pets\tstatus: sold\t');
    const within = await cli.json<Items<{ action: string }>>('audit', 'list', '--within', String(change));
    expect(within.items.map(({ action }) => action)).toEqual(Array.from({ length: 3 }, () => 'pets.update'));
    expect((await cli.run('audit', 'list', '--within', '999999')).code).toBe(3);
    const { items } = await cli.json<Items<Pet>>('pets', 'list', '--name', 'in bulk');
    const since = String(items[0]?.id);
    await cli.run('pets', 'update', since, '--name', 'in bulk, changed since');
    expect(await cli.json('pets', 'undo', String(change), '--dry-run')).toEqual({ undone: 0, changed: 3 });
    expect((await cli.run('pets', 'undo', '999999', '--dry-run')).code).toBe(3);
    expect(await cli.run('pets', 'undo', String(change))).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(`^.*: ${since}\\.\n.* 2 pets .*\nDatabase: .*\n$`),
    });
    const after = await cli.json<Items<Pet>>('pets', 'list', '--name', 'in bulk');
    expect(after.items.map(({ status }) => status)).toEqual(['sold', 'pending', 'pending']);
    expect(await cli.run('pets', 'undo', String(change))).toMatchObject({ code: 4 });
    expect(await cli.run('pets', 'undo', '999999')).toMatchObject({ code: 3 });
  });
});

describeOneEngine('petstore pets remove', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    for (const name of ['one', 'two', 'three']) await cli.run(...CREATE, name);
  });
  afterAll(() => database.drop());

  const names = async () => (await cli.json<Items<Pet>>('pets', 'list')).items.map(({ name }) => name).sort();

  it('removes all that are named or none, and undo brings them back', async () => {
    const { items } = await cli.json<Items<Pet>>('pets', 'list');
    const [one, two] = items.map(({ id }) => String(id)) as [string, string];
    const refused = await cli.run('pets', 'remove', one, '999999', two);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining(' 999999.')]);
    expect(await names()).toEqual(['one', 'three', 'two']);
    const removed = await cli.run('pets', 'remove', one, two, one);
    expect(removed).toMatchObject({ code: 0, stdout: '' });
    const [, change = ''] = /^2 .*\n.* petstore pets undo (\d+)\n/.exec(removed.stderr) ?? [];
    expect(await names()).toEqual(['three']);
    const undone = await cli.json<{ undone: number; change: number }>('pets', 'undo', change);
    expect([undone.undone, await names()]).toEqual([2, ['one', 'three', 'two']]);
    const { stdout: history } = await cli.run('pets', 'history', one);
    expect(history).toContain(`\tpets.restore, undo of change ${change}\t`);
    const { stdout: audit } = await cli.run('audit', 'list', '--limit', '1');
    expect(audit).toContain(`\tundo of change ${change}\t2 pets\t`);
    const again = await cli.json('pets', 'remove', one, two);
    expect(again).toEqual({ removed: [Number(one), Number(two)], change: expect.any(Number) });
    expect((await cli.run('pets', 'remove', one, two, '--if-version', 'x')).code).toBe(2);
  });

  it('removes at most 500 at once', async () => {
    const ids = (await cli.json<Items<Pet>>('pets', 'list')).items.map(({ id }) => String(id));
    const others = Array.from({ length: 501 - ids.length }, (_, i) => String(1_000_000 + i));
    const left = await names();
    const { code, stderr } = await cli.run('pets', 'remove', ...ids, ...others, '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining(' 500 ')]);
    expect(await names()).toEqual(left);
  });
});

describe('petstore pets at a terminal', () => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    for (const name of ['bulk a', 'bulk b']) await cli.run(...CREATE, name);
  });
  afterAll(() => database.drop());

  it('prints a table', async () => {
    const { stdout } = await cli.process.runOnTerminal(['pets', 'list', '--limit', '1']);
    expect(stdout).toMatch(/ID {2}NAME +CATEGORY ID/);
  });

  it('asks before it removes one', async () => {
    const { id } = await cli.json<Pet>(...CREATE, 'Ghost');
    const removedAt = async () => (await cli.json<Pet>('pets', 'show', String(id))).removedAt;
    const declined = await cli.process.runOnTerminal(['pets', 'remove', String(id)], 'n\n');
    expect(declined).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(` ${id}? [y/N]`),
    });
    expect(await removedAt()).toBeNull();
    expect((await cli.process.runOnTerminal(['pets', 'remove', String(id)], 'y\n')).code).toBe(0);
    expect(await removedAt()).not.toBeNull();
  });

  it('asks before it changes many', async () => {
    const words = ['pets', 'update-all', '--name', 'bulk', '--set-status', 'sold'];
    const declined = await cli.process.runOnTerminal(words, 'n\n');
    expect(declined).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/2 .*\bstatus\b.*"sold".*\? \[y\/N\]/),
    });
    expect(await cli.json(...words, '--yes')).toMatchObject({ matched: 2, changed: 2 });
  });
});

describe('petstore pets with wrong arguments', () => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  it.each([
    [['show', '999999'], 3, / 999999\./],
    [['list', '--after', '999999'], 3, / 999999\./],
    [['remove', '999999', '--yes'], 3, / 999999\./],
    [['show', 'one'], 2, /'id'/],
    [['list', '--category-id', '1.5'], 2, /^--category-id: /],
    [['list', '--status', 'gone'], 2, /^--status: .*available, pending, sold/],
    [['list', '--sort', 'colour'], 2, /^--sort: /],
    [['list', '--from', 'yesterday'], 2, /'--from <instant>'/],
    [['list', '--removed', 'maybe'], 2, /'--removed <which>'/],
    [['list', '--limit', '0'], 2, /'--limit <count>'/],
    [['create', '--name', 'Rex'], 2, /--category-id <value>'/],
    [['create', '--name', 'Rex', '--category-id', ''], 2, /^--category-id: /],
    [['create', '--name', '--status'], 2, /'--name <value>'/],
    [['update', '1'], 2, /--name, --category-id, --status\./],
    [['update', '1', '--category-id', ''], 2, /^--category-id: /],
    [['update', '1', '--name', 'x', '--if-version', '*'], 2, /'--if-version <version>'/],
    [['update-all', '--yes'], 2, /--set-name, --set-category-id, --set-status\./],
    [['update-all', '--set-category-id', 'x', '--yes'], 2, /^--set-category-id: /],
    [['update-all', '--set-status', 'gone', '--yes'], 2, /^--set-status: /],
  ])('fails with a message: %j ends with %d', async (words, code, message) => {
    const result = await cli.run('pets', ...words);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('A command that removes records for good', () => {
  it.each(['remove', 'undo-import'])('requires --yes where nobody can be asked: %s', async (command) => {
    const cli = new CliInProcess();
    cli.commands = [recordCommands({ MembersModule })];
    const { code, stdout, stderr } = await cli.run('members', command, '1');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('--yes')]);
    expect(readdirSync(cli.folder)).toEqual([]);
  });
});

describe('petstore pets without its database', () => {
  const cli = new CliInProcess({ DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore' });

  it('fails in one sentence', async () => {
    const { code, stdout, stderr } = await cli.run('pets', 'list');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^.*127\.0\.0\.1.*\n$/);
  });
});
