import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { CliInProcess } from './support/cli-in-process';
import { execute } from './support/execute';

interface KeyJson {
  readonly id: string;
}

interface Plan {
  readonly windows: readonly unknown[];
  readonly value: string;
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
    [
      ['report', 'brownouts', 'plan', 'listPets', '--first', '2030-09-02'],
      'There is no deprecated operation listPets; those are getPet.',
    ],
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

  it('plans brownouts as a value that can be set and rehearsed', async () => {
    const words = ['report', 'brownouts', 'plan', 'getPet', '--first', '2030-11-04', '--last', '2030-11-29'];
    const plan = await cli.json<Plan>(...words, '--every', '1w', '--lengths', '5m,1h');
    expect(plan.windows).toHaveLength(4);
    const set = cli.with({ DEPRECATED_OPERATIONS: plan.value });
    expect((await set.run('config', 'check')).code).toBe(0);
    const { code, stdout, stderr } = await set.run('report', 'brownouts', 'rehearse');
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'OPERATION\tFROM\tTO\tREFUSED CALLS',
      expect.stringMatching(/^getPet\t2030-11-04T10:00:00.000Z\t2030-11-04T10:05:00.000Z\t/) as unknown,
      expect.stringMatching(/^getPet\t2030-11-11T10:00:00.000Z\t2030-11-11T10:05:00.000Z\t/) as unknown,
    ]);
    expect(stdout).toContain('HTTP/1.1 410 Gone\n');
    expect(stdout).toContain('\nRetry-After: 300\n');
    expect(stderr).toMatch(/^An estimate from the calls of the last 28 days/);
    const { stdout: text } = await cli.run(...words, '--lengths', '5m,1h');
    expect(text).toContain(`\nDEPRECATED_OPERATIONS='${plan.value}'\n`);
  });
});

describeOneEngine('petstore report brownouts rehearse', (engine) => {
  it('says who called in the last 28 days, and what share of the calls falls into the windows', async () => {
    const database = await createTestDatabase(engine);
    const cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    await execute(
      database,
      `INSERT INTO operation_use_days (key_id, operation, day, count) VALUES ('key_old', 'getPet', '${dayAgo(30)}', 900), ('key_new', 'getPet', '${dayAgo(2)}', 100), ('key_new', 'getPet', '${dayAgo(1)}', 180)`,
    );
    const value = `getPet=brownout(${dayAgo(-4)}T00:00:00Z/P1D)`;
    const words = ['report', 'brownouts', 'rehearse', '--value', value];
    const { stdout } = await cli.run(...words);
    expect(stdout).toMatch(/\ngetPet\tkey_new\t-\t-\t-\t280\t10\n/);
    const { rehearsals } = await cli.json<{ rehearsals: object[] }>(...words);
    expect(rehearsals).toMatchObject([
      { windows: [{ refusals: 10 }], callers: [{ keyId: 'key_new', calls: 280, refusals: 10 }] },
    ]);
    await database.drop();
  });
});
