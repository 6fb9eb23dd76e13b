import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { AuditEvent } from './audit-event.entity';
import { AuditLog } from './audit-log';
import { PersonalMembers } from './personal-members.entity';
import { Database } from '../database/database';
import { DAY_MS } from '../values/calendar';
import { AuditRetentionJob } from './audit-retention-job';

describeEachEngine('The retention of audit events', (engine) => {
  let service: TestService;

  beforeAll(async () => (service = await startTestService(engine, { AUDIT_RETENTION_DAYS: '30' })));
  afterAll(() => service.stop());

  it('removes those that are older with what belongs to them, records that, and leaves the others', async () => {
    const database = service.app.get(Database);
    const log = service.app.get(AuditLog);
    const change = {
      action: 'things.touch',
      subject: { type: 'things', id: 1n },
      after: { name: 'Ana' },
      personal: ['name'],
    };
    const record = (at: Date) => {
      jest.useFakeTimers({ now: at, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
      return database.transaction(() => log.record(change)).finally(() => jest.useRealTimers());
    };
    const old = await record(new Date(Date.now() - 40 * DAY_MS));
    const kept = await record(new Date());
    await service.app.get(AuditRetentionJob).run();
    const events = database.dataSource.getRepository(AuditEvent);
    const [removal] = await log.list({ action: 'audit.remove' }, { limit: 1 });
    expect(JSON.parse(removal?.after ?? '')).toMatchObject({ lastEventId: Number(old) });
    expect((await log.list({ subjectType: 'things' }, { limit: 9 })).map(({ id }) => id)).toEqual([kept]);
    expect(
      await database.dataSource.getRepository(PersonalMembers).find({ select: { eventId: true } }),
    ).toEqual(expect.not.arrayContaining([{ eventId: old }]));
    await expect(events.delete({ id: kept })).rejects.toThrow(/append-only/);
  });
});
