import { SessionRetentionJob } from '../../../src/admin/console/sessions/session-retention-job';
import { DAY_MS } from '../../../src/platform/values/calendar';
import { setDate } from '../../support/fake-only';
import { openConsole } from '../../support/service/console';
import { startTestService } from '../../support/service/service';

describe('A node whose clock is years ahead', () => {
  it('deletes no session of the console before its time', async () => {
    const service = await startTestService('postgres');
    const client = await openConsole(service, service.key);
    setDate(Date.now() + 10 * 365 * DAY_MS);
    try {
      await service.app.get(SessionRetentionJob, { strict: false }).run();
    } finally {
      jest.useRealTimers();
    }
    expect((await client.get('/admin/sessions')).status).toBe(200);
    await service.stop();
  });
});
