import { execFileSync } from 'node:child_process';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { LoggedRequest } from '../../../src/platform/request-log/logged-request.entity';
import { firstIdAt } from '../../../src/platform/request-log/logged-request-id';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { databaseSettings } from '../../support/databases/sample-database';
import { CliInProcess } from '../../cli/support/cli-in-process';

describeOneEngine('petstore find', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());

  it('finds records, keys and changes, each with the command that shows it', async () => {
    const { id } = await cli.json<{ id: number }>(
      'pets',
      'create',
      '--category-id',
      '3',
      '--name',
      'Findable',
    );
    const key = await cli.json<{ id: string; key: string }>(
      ...['keys', 'create', '--name', 'Finding', '--scopes', 'pets:read'],
    );
    const find = async (text: string) => {
      const { items } = await cli.json<{ items: { type: string; title: string; command: string }[] }>(
        'find',
        text,
      );
      return items.map(({ type, title, command }) => [type, title, command.replace(/^petstore /, '')]);
    };
    const pet = ['pet', 'Findable', `pets show ${id}`];
    expect(await find('findab')).toEqual([pet]);
    expect(await find(`pet ${id}`)).toEqual([pet]);
    const shown = [['API key', 'Finding', `keys show ${key.id}`]];
    expect(await find(key.key)).toEqual(shown);
    expect(await find(key.id)).toEqual(shown);
    expect(await find(`pets/${id}`)).toEqual([
      pet,
      ['changes', `Changes of pets/${id}`, `audit list --subject pets/${id}`],
    ]);
    const [[, , command = ''] = []] = (await find('event 1')).filter(([type]) => type === 'change');
    const { items: changes } = await cli.json<{ items: { id: number }[] }>(...command.split(' '));
    expect(changes.map((change) => change.id)).toEqual([1]);
    expect(await find("'; rm -rf /")).toEqual([]);
    expect((await cli.run('find', `pets/${id}`)).stdout.split('\n')).toEqual([
      'TYPE\tTITLE\tNOTE\tCOMMAND',
      `pet\tFindable\tpet ${id}\tpetstore pets show ${id}`,
      `changes\tChanges of pets/${id}\t-\tpetstore audit list --subject pets/${id}`,
      '',
    ]);
    expect(await cli.run('find', 'nothing like it')).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  it('gives a command that a shell takes for no other, whatever the id of a request is', async () => {
    const requestId = "'$(id)';id";
    const at = new Date();
    const dataSource = await createDataSource(databaseSettings(database.url)).initialize();
    await dataSource.getRepository(LoggedRequest).insert({
      ...{ id: firstIdAt(at), at, requestId, traceId: null, keyId: null, method: 'GET', route: '/v1/pets' },
      ...{ status: 200, outcome: 'succeeded', code: null, message: null, durationMs: 1 },
      ...{ address: '192.0.2.1', node: 'web-1' },
    });
    await dataSource.destroy();
    const { items } = await cli.json<{ items: { command: string }[] }>('find', requestId);
    const [, word = ''] = /^petstore requests show (.*)$/.exec(items[0]?.command ?? '') ?? [];
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(requestId);
  });
});
