import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { execute } from '../../cli/support/execute';

interface KeyJson {
  readonly id: string;
}

/** A day in UTC, so many days ago. */
function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

describeOneEngine('petstore report', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;
  let shop: string;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    const create = ['keys', 'create', '--name', 'shop', '--scopes', 'pets:read', '--expires-in', '20d'];
    shop = (await cli.json<KeyJson>(...create)).id;
    const used = `${dayAgo(3)} 10:00:00.000`;
    const instant = engine === 'sqlite' ? used : `${used}Z`;
    await execute(database, `UPDATE api_keys SET created_at = '${dayAgo(40)} 10:00:00.000'`);
    await execute(
      database,
      `INSERT INTO operation_uses (key_id, operation, count, last_used_at) VALUES ('${shop}', 'getPet', 12, '${instant}')`,
    );
    await execute(
      database,
      `INSERT INTO operation_use_days (key_id, operation, day, count) VALUES ('${shop}', 'getPet', '${dayAgo(3)}', 8), ('${shop}', 'getPet', '${dayAgo(50)}', 4)`,
    );
  });
  afterAll(() => database.drop());

  it('shows the use of keys as lines, as JSON and by day', async () => {
    const use = { keyId: shop, name: 'shop', owner: null, status: 'active', operation: 'getPet', count: 12 };
    const lastUsedAt = `${dayAgo(3)}T10:00:00.000Z`;
    expect(await cli.json('report', 'usage')).toEqual([{ ...use, recent: 8, lastUsedAt }]);
    expect(await cli.json('report', 'usage', '--days', '60', '--key', shop)).toEqual([
      { ...use, recent: 12, lastUsedAt },
    ]);
    expect(await cli.run('report', 'usage', '--daily', '--operation', 'getPet')).toEqual({
      code: 0,
      stdout: `DAY\tOPERATION\tCALLS\n${dayAgo(3)}\tgetPet\t8\n`,
      stderr: '',
    });
  });

  it.each([
    [['report', 'usage', '--key', 'key_0000000000000000'], 'There is no API key key_0000000000000000.'],
    [['report', 'usage', '--operation', 'getPets'], 'There is no operation getPets.'],
    [['report', 'usage', '--operation', 'live'], 'There is no operation live.'],
  ])('refuses an unknown name instead of showing no use, exit code 3: %j', async (words, message) => {
    expect(await cli.run(...words)).toEqual({ code: 3, stdout: '', stderr: `${message}\n` });
  });

  it('lists the keys that need attention', async () => {
    const { stdout } = await cli.process.run('report', 'keys');
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toBe('KEY\tNAME\tOWNER\tWARNING\tDAYS\tEXPIRES\tLAST USED');
    expect(lines.map((line) => line.split('\t').slice(0, 5))).toEqual([
      [shop, 'shop', '-', 'expiring', '20'],
      [shop, 'shop', '-', 'never_used', expect.stringMatching(/^(39|40)$/)],
    ]);
    expect(await cli.json('report', 'keys')).toMatchObject([
      { kind: 'expiring', days: 20, key: { id: shop, status: 'active' } },
      { kind: 'never_used' },
    ]);
  });

  it('lists who still calls a deprecated operation', async () => {
    expect(await cli.json('report', 'deprecations')).toMatchObject([
      {
        operation: 'getPet',
        sunset: '2030-12-05T00:00:00.000Z',
        state: 'active',
        windows: [],
        callers: [{ keyId: shop, count: 12, recent: 8 }],
      },
    ]);
    const { stdout } = await cli
      .with({ DEPRECATED_OPERATIONS: 'getPet=removed' })
      .run('report', 'deprecations');
    expect(stdout.split('\n')[1]).toMatch(
      new RegExp(
        `^getPet\\tremoved\\t2030-12-05T00:00:00.000Z\\t-?\\d+\\t${shop}\\tshop\\t-\\tactive\\t12\\t8\\t`,
      ),
    );
  });
});
