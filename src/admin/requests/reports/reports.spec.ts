import { ApiKeysService } from '../../../auth/api-keys.service';
import { OperationUsesRepository } from '../../../auth/usage/operation-uses.repository';
import { KeyUsage } from '../../../auth/usage/key-usage';
import { describeOneEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { DAY_MS, dayOf } from '../../../platform/values/calendar';
import { DeprecationReportService } from './deprecation-report.service';
import { UsageReportService } from './usage-report.service';

const NOW = new Date('2030-09-01T12:00:00Z');

describeOneEngine('The reports about deprecated operations', (engine) => {
  let service: TestService;
  let shop: string;
  let stall: string;
  const settings = { DEPRECATED_OPERATIONS: 'getPet=brownout(2030-09-02T10:00:00Z/PT6H); other=active' };

  const add = (keyId: string, operation: string, daysAgo: number, count: bigint) => {
    const lastUsedAt = new Date(NOW.getTime() - daysAgo * DAY_MS);
    const uses = service.app.get(OperationUsesRepository);
    return uses.add({ keyId, operation, day: dayOf(lastUsedAt), count, lastUsedAt });
  };

  beforeAll(async () => {
    service = await startTestService(engine, settings);
    const keys = service.app.get(ApiKeysService);
    shop = (await keys.create({ name: 'shop', owner: 'ops', scopes: ['pets:read'] })).key.id;
    stall = (await keys.create({ name: 'stall', scopes: ['pets:read'] })).key.id;
    await add(shop, 'getPet', 40, 1_000n);
    await add(shop, 'getPet', 6, 400n);
    await add(stall, 'getPet', 13, 800n);
    await add(stall, 'listPets', 0, 5n);
    await add('key_gone', 'getPet', 100, 7n);
  });
  afterAll(() => service.stop());

  it('show how often each key calls each operation', async () => {
    const usage = service.app.get(UsageReportService);
    expect(await usage.byKey(30, {}, NOW)).toEqual([
      {
        ...{ keyId: stall, name: 'stall', owner: null, status: 'active', operation: 'getPet' },
        ...{ count: 800, recent: 800, lastUsedAt: '2030-08-19T12:00:00.000Z' },
      },
      {
        ...{ keyId: shop, name: 'shop', owner: 'ops', status: 'active', operation: 'getPet' },
        ...{ count: 1_400, recent: 400, lastUsedAt: '2030-08-26T12:00:00.000Z' },
      },
      {
        ...{ keyId: stall, name: 'stall', owner: null, status: 'active', operation: 'listPets' },
        ...{ count: 5, recent: 5, lastUsedAt: '2030-09-01T12:00:00.000Z' },
      },
      {
        ...{ keyId: 'key_gone', name: null, owner: null, status: null, operation: 'getPet' },
        ...{ count: 7, recent: 0, lastUsedAt: '2030-05-24T12:00:00.000Z' },
      },
    ]);
    expect(await usage.byDay(7, {}, NOW)).toEqual([
      { day: '2030-08-26', operation: 'getPet', count: 400 },
      { day: '2030-09-01', operation: 'listPets', count: 5 },
    ]);
    expect(await usage.byDay(6, {}, NOW)).toMatchObject([{ day: '2030-09-01' }]);
    expect(await usage.byDay(7, { keyId: stall }, NOW)).toHaveLength(1);
  });

  it('refuse an unknown key or operation instead of showing it as unused', async () => {
    const usage = service.app.get(UsageReportService);
    await usage.assertKnown({ operation: 'createPet', keyId: shop });
    await expect(usage.assertKnown({ operation: 'getPets' })).rejects.toThrow('no operation getPets');
    await expect(usage.assertKnown({ keyId: 'key_0' })).rejects.toThrow('no API key key_0');
  });

  it('list deprecated operations with the date of their removal and the keys that still call them', async () => {
    const [report, ...others] = await service.app.get(DeprecationReportService).list(NOW);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      ...{ operation: 'getPet', method: 'GET', path: '/v1/pets/{petId}', successor: '/v1/pets' },
      ...{ since: '2025-12-05T00:00:00.000Z', sunset: '2030-12-05T00:00:00.000Z', daysLeft: 95 },
      state: 'brownout',
      windows: [{ from: '2030-09-02T10:00:00.000Z', to: '2030-09-02T16:00:00.000Z' }],
      ...{ count: 2_207, recent: 1_200 },
    });
    expect(report?.callers.map(({ keyId, recent }) => [keyId, recent])).toEqual([
      [stall, 800],
      [shop, 400],
      ['key_gone', 0],
    ]);
  });

  it('include calls made since the service started', async () => {
    const usage = service.app.get(UsageReportService);
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.app.get(KeyUsage).flush();
    const [use] = await usage.byKey(1, { operation: 'createPet' });
    expect(use).toMatchObject({ name: 'test', count: 1, recent: 1 });
  });
});
