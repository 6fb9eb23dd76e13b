import { restartWithDefaults } from '../../contract/support/database-defaults';
import { useService } from '../../contract/support/service';
import { ConsoleClient } from '../../support/service/console';

describe('A console that is started again after the defaults of its PostgreSQL database were changed', () => {
  const service = useService('postgres');

  it('shows its pages', async () => {
    const restarted = await restartWithDefaults(service());
    const browser = new ConsoleClient(Number(new URL(restarted.managementUrl).port));
    await browser.signIn(service().key);
    const paths = [
      '/admin/system',
      '/admin/keys',
      '/admin/records/pets',
      '/admin/audit',
      '/admin/requests',
      '/admin/jobs',
    ];
    const pages = await Promise.all(paths.map((path) => browser.get(path)));
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 200));
    await restarted.stop();
  });
});
