import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../test/support/databases/databases';
import { startTestService, type TestService } from '../../test/support/service/service';
import { Database } from '../platform/database/database';
import { exactJson } from '../platform/values/exact-json';
import { ApiKey } from './api-key.entity';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';
import { type KeyFilter, KEY_ORDERS, type KeyWindow } from './dto/key-search';
import { KEY_WARNINGS } from './dto/key-warning';
import { KeyWarningsService } from './key-warnings.service';
import { DAY_MS } from '../platform/values/calendar';

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

describeEachEngine('The search for API keys', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let repository: ApiKeysRepository;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    repository = service.app.get(ApiKeysRepository);
    // Some are alike in all but the id, which then has to tell the pages apart.
    for (const name of [
      'shop',
      'shop',
      'Scanner',
      'scanner',
      'zebra 100%',
      'Ünder_score',
      'alpha',
      'alpha',
    ]) {
      await keys.create({ name, scopes: ['pets:read'] });
    }
    await made(30.1, 'shop');
    await made(29.9, 'alpha');
    for (const days of [5, 29.9, 30.1, 400]) {
      const wanted = { name: `ends ${days}`, owner: 'Shop team', scopes: ['pets:write'] };
      const { key } = await keys.create({ ...wanted, expiresAt: daysFromNow(days) });
      await repository.touch(key.id, daysFromNow(-1));
    }
    for (const days of [89.9, 90.1, 200]) {
      const { key } = await keys.create({ name: `idle ${days}`, owner: 'ops', scopes: ['pets:read'] });
      await repository.touch(key.id, daysFromNow(-days));
    }
    const [disabled, revoked, expired, both] = await Promise.all(
      ['disabled', 'revoked', 'expired', 'disabled and expired'].map((name) =>
        keys.create({ name, scopes: ['pets:read'] }).then(({ key }) => key.id),
      ),
    );
    await keys.disable(disabled as string);
    await keys.revoke(revoked as string);
    await keys.disable(both as string);
    for (const id of [expired, both]) await repository.update(id as string, { expiresAt: daysFromNow(-1) });
  });
  afterAll(() => service.stop());

  /** Sets the time at which the keys of a name were made to so many days ago. */
  const made = (days: number, name: string) =>
    service.app
      .get(DataSource)
      .getRepository(ApiKey)
      .update({ name }, { createdAt: daysFromNow(-days) });

  const ids = async (filter: KeyFilter, window: Partial<KeyWindow> = {}) => {
    const found = await keys.search(filter, { by: 'created', descending: false, limit: 100, ...window });
    return found.map(({ id }) => id);
  };
  const idsWhere = async (isMeant: Parameters<Awaited<ReturnType<ApiKeysService['list']>>['filter']>[0]) =>
    (await keys.list()).filter(isMeant).map(({ id }) => id);

  it.each(
    KEY_ORDERS.flatMap((by) => [
      { by, descending: false },
      { by, descending: true },
    ]),
  )('finds every key once, page by page, in the order %j', async (order) => {
    const all = await ids({}, order);
    expect([...all].sort()).toEqual((await idsWhere(() => true)).sort());
    expect([...all].reverse()).toEqual(await ids({}, { ...order, descending: !order.descending }));
    const walked: string[] = [];
    for (;;) {
      const page = await ids({}, { ...order, after: walked.at(-1), limit: 3 });
      walked.push(...page);
      if (page.length < 3) break;
    }
    expect(walked).toEqual(all);
  });

  it('sorts keys without an end last, and keys that were never used first', async () => {
    const [first] = await keys.search({}, { by: 'used', descending: false, limit: 1 });
    expect(first?.lastUsedAt).toBeNull();
    const [last] = await keys.search({}, { by: 'expires', descending: true, limit: 1 });
    expect(last?.expiresAt).toBeNull();
    const ends = await keys.search({ text: 'ends' }, { by: 'expires', descending: false, limit: 9 });
    expect(ends.map(({ name }) => name)).toEqual(['ends 5', 'ends 29.9', 'ends 30.1', 'ends 400']);
  });

  it.each(['active', 'disabled', 'expired', 'revoked'] as const)(
    'finds the keys that are %s',
    async (status) => {
      const expected = await idsWhere((key) => key.status === status);
      expect(expected).not.toEqual([]);
      expect((await ids({ status })).sort()).toEqual(expected.sort());
      expect(await keys.count({ status }, 100)).toBe(expected.length);
    },
  );

  it('finds active and disabled keys as "current"', async () => {
    const expected = await idsWhere(({ status }) => status === 'active' || status === 'disabled');
    expect((await ids({ status: 'current' })).sort()).toEqual(expected.sort());
  });

  it.each(['expiring', 'never_used', 'idle', 'any'] as const)(
    'finds the keys with the warning %s',
    async (warning) => {
      const warnings = service.app.get(KeyWarningsService);
      const expected = await idsWhere((key) =>
        warnings.about(key).some(({ kind }) => warning === 'any' || kind === warning),
      );
      expect(expected.length).toBeGreaterThan(1);
      const wanted = warning === 'any' ? KEY_WARNINGS : [warning];
      expect((await ids({ warning: { in: wanted } })).sort()).toEqual(expected.sort());
    },
  );

  it.each([
    ['SCAN', ['Scanner', 'scanner']],
    ['100%', ['zebra 100%']],
    ['r_s', ['Ünder_score']],
    ['üNDER', ['Ünder_score']],
    ['shop TEAM', ['ends 5', 'ends 29.9', 'ends 30.1', 'ends 400']],
    ['pets:write', ['ends 5', 'ends 29.9', 'ends 30.1', 'ends 400']],
  ])('finds the text %j', async (text, names) => {
    const found = await keys.search({ text }, { by: 'created', descending: false, limit: 100 });
    const named = found.map(({ name }) => name).filter((name) => !['test', 'first key'].includes(name));
    // Keys made in the same millisecond come in the order of their ids.
    expect(named.toSorted()).toEqual(names.toSorted());
  });

  it.each(['name', 'hint'])('finds those whose %s begins with a text by its index', async (member) => {
    const { dataSource } = service.app.get(Database);
    const query = jest.spyOn(dataSource.logger, 'logQuery');
    const found = await keys.beginning(['scan', 'nothing'], 5);
    const [sql, values] = query.mock.calls.find(
      ([text]) =>
        text.includes(`"row"."${member}" >= `) ||
        text.includes(`left("row"."${member}", 500) COLLATE "C" >= `),
    ) ?? [''];
    query.mockRestore();
    expect(found.map(({ name }) => name)).toEqual(['scanner']);
    const runner = dataSource.createQueryRunner();
    // PostgreSQL would scan a table as small as this one.
    if (engine === 'postgres') await runner.query('SET enable_seqscan = off');
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = exactJson(await runner.query(`${explain} ${sql}`, values as unknown[]));
    if (engine === 'postgres') await runner.query('RESET enable_seqscan');
    await runner.release();
    expect(plan).toMatch(new RegExp(`(SEARCH row USING|Index Scan using).* idx_api_keys_${member}_id`));
  });

  it('counts keys up to a limit', async () => {
    expect(await keys.count({}, 7)).toBe(7);
  });
});
