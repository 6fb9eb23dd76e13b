import { Database } from '../../platform/database/database';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import type { UsesOfDay } from '../dto/operation-usage';
import { KeyUsage } from './key-usage';
import { UsageRetentionJob } from './usage-retention-job';
import { OperationUsesRepository } from './operation-uses.repository';
import { UsageService } from './usage.service';

const EVER = { from: '2000-01-01', to: '2100-01-01' };
const BY: (keyof UsesOfDay)[] = ['day', 'keyId', 'operation'];

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

describeOneEngine('Uses of operations', (engine) => {
  let service: TestService;
  let usage: KeyUsage;
  let report: UsageService;
  beforeAll(async () => {
    service = await startTestService(engine);
    usage = service.app.get(KeyUsage);
    report = service.app.get(UsageService);
  });
  afterAll(() => service.stop());

  const daysOf = async (keyId: string) =>
    (await report.sums(BY, EVER, { keyId })).map(({ day, operation, count }) => [day, operation, count]);

  it('are counted on the day in UTC on which they happened, however late they are written', async () => {
    const midnight = Date.parse('2026-03-01T00:00:00Z');
    for (const [operation, now] of [
      ['getPet', midnight - 2],
      ['getPet', midnight - 1],
      ['listPets', midnight - 1],
      ['getPet', midnight],
      ['getPet', midnight + 1],
      ['getPet', midnight + 2],
    ] as const) {
      usage.count('key_midnight', operation, now);
    }
    await usage.flush();
    expect(await daysOf('key_midnight')).toEqual([
      ['2026-02-28', 'getPet', 2],
      ['2026-02-28', 'listPets', 1],
      ['2026-03-01', 'getPet', 3],
    ]);
    expect(await report.totals({ keyId: 'key_midnight' })).toEqual([
      { keyId: 'key_midnight', operation: 'getPet', count: 5, lastUsedAt: '2026-03-01T00:00:00.002Z' },
      { keyId: 'key_midnight', operation: 'listPets', count: 1, lastUsedAt: '2026-02-28T23:59:59.999Z' },
    ]);
  });

  it('are added to stored counts, which keep the time of the latest use', async () => {
    const uses = service.app.get(OperationUsesRepository);
    const day = '2026-04-01';
    const at = (time: string) => new Date(`${day}T${time}Z`);
    await uses.add({ keyId: 'key_sum', operation: 'getPet', day, count: 3n, lastUsedAt: at('12:00:00') });
    await uses.add({ keyId: 'key_sum', operation: 'getPet', day, count: 4n, lastUsedAt: at('11:00:00') });
    expect(await report.totals({ keyId: 'key_sum' })).toEqual([
      { keyId: 'key_sum', operation: 'getPet', count: 7, lastUsedAt: `${day}T12:00:00.000Z` },
    ]);
    expect(await daysOf('key_sum')).toEqual([[day, 'getPet', 7]]);
  });

  it('are summed by key, operation and day as asked for', async () => {
    for (const [keyId, operation, day, count] of [
      ['key_a', 'opA', '2026-05-01', 1n],
      ['key_a', 'opA', '2026-05-02', 2n],
      ['key_b', 'opA', '2026-05-02', 4n],
      ['key_b', 'opB', '2026-05-03', 8n],
    ] as const) {
      const lastUsedAt = new Date(`${day}T00:00:00Z`);
      await service.app.get(OperationUsesRepository).add({ keyId, operation, day, count, lastUsedAt });
    }
    const may = { from: '2026-05-01', to: '2026-05-02' };
    expect(await report.sums(['keyId', 'operation'], may)).toEqual([
      { keyId: 'key_a', operation: 'opA', count: 3 },
      { keyId: 'key_b', operation: 'opA', count: 4 },
    ]);
    expect(await report.sums(['day'], { ...may, to: '2026-05-03' }, { keyId: 'key_b' })).toEqual([
      { day: '2026-05-02', count: 4 },
      { day: '2026-05-03', count: 8 },
    ]);
    expect(await report.sums(['day'], { ...may, to: '2026-05-03' }, { operation: 'opB' })).toEqual([
      { day: '2026-05-03', count: 8 },
    ]);
  });

  it('are kept in memory, with later ones, while they cannot be written', async () => {
    const now = Date.parse('2026-06-01T12:00:00Z');
    // More than one transaction writes.
    const keys = Array.from({ length: 250 }, (_, index) => `key_many_${String(index).padStart(3, '0')}`);
    const countAll = () => keys.forEach((key) => usage.count(key, 'getPet', now));
    const database = service.app.get(Database);
    const work = database.transaction.bind(database);
    const transaction = jest.spyOn(database, 'transaction');
    transaction.mockImplementationOnce(work);
    transaction.mockRejectedValueOnce(new Error('away'));
    countAll();
    await usage.flush();
    countAll();
    transaction.mockRestore();
    await usage.flush();
    await usage.flush();
    const sums = await report.sums(['keyId'], { from: '2026-06-01', to: '2026-06-01' });
    expect(sums).toEqual(keys.map((keyId) => ({ keyId, count: 2 })));
    expect(service.log()).toContain('could not be recorded');
  });

  it('are deleted for days long past, but stay in the totals', async () => {
    const uses = service.app.get(OperationUsesRepository);
    const add = (day: string) =>
      uses.add({ keyId: 'key_old', operation: 'getPet', day, count: 1n, lastUsedAt: new Date(day) });
    for (const days of [1_000, 402, 399, 1]) await add(dayAgo(days));
    await service.app.get(UsageRetentionJob).run();
    expect((await daysOf('key_old')).map(([day]) => day)).toEqual([dayAgo(399), dayAgo(1)]);
    expect(await report.totals({ keyId: 'key_old' })).toMatchObject([{ count: 4 }]);
  });
});
