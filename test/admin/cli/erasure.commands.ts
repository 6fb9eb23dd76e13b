import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode } from '../../../src/platform/cli/command-error';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { execute } from '../../cli/support/execute';

describeOneEngine('petstore audit erase', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  const keyOf = async (owner: string) =>
    (
      await cli.json<{ id: string }>(
        'keys',
        'create',
        '--name',
        'k',
        '--scopes',
        'pets:read',
        '--owner',
        owner,
      )
    ).id;
  const ownersOf = async (id: string) =>
    (
      await cli.json<{ items: { action: string; after: { owner?: string } | null }[] }>(
        ...['audit', 'list', '--subject', `keys/${id}`],
      )
    ).items
      .filter(({ action }) => action === 'keys.create')
      .map(({ after }) => after?.owner);

  it('erases the values of a subject and no others, and is in the log itself', async () => {
    const [ana, ben] = [await keyOf('ana@erase.example'), await keyOf('ben@erase.example')];
    expect(await cli.json('audit', 'subject', `keys/${ana}`)).toMatchObject({
      subject: `keys/${ana}`,
      auditEvents: [{ action: 'keys.create', after: { owner: 'ana@erase.example' } }],
    });
    expect((await cli.run('audit', 'subject', `keys/${ana}`)).stdout).toContain('auditEvents\t1');
    const erase = ['audit', 'erase', '--subject', `keys/${ana}`, '--reason', 'letter 1'];
    expect(await cli.run(...erase)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes') as string,
    });
    expect(await ownersOf(ana)).toEqual(['ana@erase.example']);
    expect(await cli.run(...erase, '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`1 value of keys/${ana} `) as string,
    });
    expect([await ownersOf(ana), await ownersOf(ben)]).toEqual([['[erased]'], ['ben@erase.example']]);
    const { items } = await cli.json<{ items: object[] }>('audit', 'list', '--action', 'audit.erase');
    expect(items).toMatchObject([{ subjectId: ana, after: { reason: 'letter 1' } }]);
  });

  it('erases the owner of a revoked key from the key itself, and from a fresh backup', async () => {
    const owner = 'gil@erase.example';
    const id = await keyOf(owner);
    const erase = () =>
      cli.json<{ left: string[] }>(
        ...['audit', 'erase', '--subject', `keys/${id}`, '--reason', 'l', '--yes'],
      );
    const stored = async () =>
      (await cli.json<{ id: string; owner: string | null }[]>('keys', 'list')).find((key) => key.id === id);
    expect(await cli.json('audit', 'subject', `keys/${id}`)).toMatchObject({ apiKeys: [{ id, owner }] });
    expect(await erase()).toMatchObject({ left: ['owner'] });
    expect(await stored()).toMatchObject({ owner });
    await cli.run('keys', 'revoke', id, '--yes');
    expect(await erase()).toMatchObject({ left: [] });
    expect(await stored()).toMatchObject({ owner: null });
    if (engine === 'postgres') return;
    expect(await cli.run('db', 'backup', 'fresh.sqlite')).toMatchObject({ code: 0 });
    expect(readFileSync(join(cli.folder, 'fresh.sqlite'), 'latin1')).not.toContain(owner);
  });

  it('says of a record type without personal fields that there is nothing to erase in its records', async () => {
    const pet = await cli.json<{ id: number }>('pets', 'create', '--name', 'Rex', '--category-id', '1');
    const erase = ['audit', 'erase', '--subject', `pets/${pet.id}`, '--reason', 'letter 4', '--yes'];
    expect(await cli.json(...erase)).toMatchObject({ values: 0, hasPersonalFields: false });
    expect((await cli.run(...erase)).stderr).toContain('isPersonal');
    const other = ['audit', 'erase', '--subject', 'people/oidc:00u1', '--reason', 'letter 4', '--yes'];
    expect(await cli.json(...other)).toMatchObject({ hasPersonalFields: true });
  });

  it('does not take a record that cannot be read for none', async () => {
    const renamed = (from: string, to: string) =>
      execute(database, `ALTER TABLE "${from}" RENAME TO "${to}"`);
    await renamed('pets', 'elsewhere');
    expect(await cli.run('audit', 'subject', 'pets/1')).toMatchObject({
      code: ExitCode.tryLater,
      stdout: '',
    });
    await renamed('elsewhere', 'pets');
    expect((await cli.run('audit', 'subject', 'pets/999999')).stdout).toContain('record\t0\n');
  });

  it.each(['keys', '/1', ''])('names a subject that is none, exit code 2: "%s"', async (subject) => {
    expect((await cli.run('audit', 'erase', '--subject', subject, '--reason', 'x', '--yes')).code).toBe(2);
  });
});
