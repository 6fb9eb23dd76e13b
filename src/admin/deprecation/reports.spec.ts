import { ApiKeysService } from '../../auth/api-keys.service';
import { OperationUsesRepository } from '../../auth/usage/operation-uses.repository';
import { KeyUsage } from '../../auth/usage/key-usage';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { BrownoutsService } from './brownouts.service';
import { DAY_MS, dayOf } from '../../platform/values/calendar';
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

  it('plan brownouts as a value of the setting that keeps the states of other operations', () => {
    const schedule = { first: '2030-10-07', last: '2030-10-14', at: '09:30', everyMs: 7 * DAY_MS };
    const plan = service.app
      .get(BrownoutsService)
      .plan('getPet', { ...schedule, lengthsMs: [300_000, 3_600_000] }, NOW);
    expect(plan).toEqual({
      operation: 'getPet',
      sunset: '2030-12-05T00:00:00.000Z',
      windows: [
        { from: '2030-10-07T09:30:00.000Z', to: '2030-10-07T09:35:00.000Z' },
        { from: '2030-10-14T09:30:00.000Z', to: '2030-10-14T10:30:00.000Z' },
      ],
      value:
        'getPet=brownout(2030-10-07T09:30:00Z/2030-10-07T09:35:00Z, 2030-10-14T09:30:00Z/2030-10-14T10:30:00Z); other=active',
    });
  });

  it('rehearse brownouts: list the keys they would hit and the responses those would get', async () => {
    const brownouts = service.app.get(BrownoutsService);
    // The window takes a quarter of one of 28 days: 1,200 calls of the last 28 days / 112.
    const [rehearsal, ...others] = await brownouts.rehearse(
      'getPet=brownout(2030-09-02T10:00:00Z/PT6H)',
      NOW,
    );
    expect(others).toEqual([]);
    expect(rehearsal).toMatchObject({
      operation: 'getPet',
      state: 'brownout',
      windows: [{ from: '2030-09-02T10:00:00.000Z', to: '2030-09-02T16:00:00.000Z', refusals: 10.7 }],
      callers: [
        { keyId: stall, name: 'stall', calls: 800, refusals: 7.1 },
        { keyId: shop, owner: 'ops', calls: 400, refusals: 3.6 },
      ],
      answer: {
        status: 410,
        headers: { 'Retry-After': '21600', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
        body: { code: 'operation_brownout', status: 410 },
      },
    });
    const [removed] = await brownouts.rehearse('getPet=removed', NOW);
    expect(removed).toMatchObject({
      state: 'removed',
      windows: [],
      callers: [{ refusals: 800 }, { refusals: 400 }],
      answer: { status: 410, body: { code: 'operation_removed' } },
    });
    expect(await brownouts.rehearse('getPet=active', NOW)).toEqual([]);
    await expect(brownouts.rehearse('listPets=removed', NOW)).rejects.toThrow(
      'no deprecated operation listPets; those are getPet',
    );
    await expect(brownouts.rehearse('getPet=brownout(soon)', NOW)).rejects.toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ field: 'value' })] }) as Error,
    );
  });

  it('include calls made since the service started', async () => {
    const usage = service.app.get(UsageReportService);
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.app.get(KeyUsage).flush();
    const [use] = await usage.byKey(1, { operation: 'createPet' });
    expect(use).toMatchObject({ name: 'test', count: 1, recent: 1 });
  });
});

describeOneEngine('A rehearsal of the current setting', (engine) => {
  it('is empty while every operation is active', async () => {
    const service = await startTestService(engine);
    expect(await service.app.get(BrownoutsService).rehearse()).toEqual([]);
    await service.stop();
  });
});
