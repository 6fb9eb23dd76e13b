import { describeOneEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { AuditSealer } from './audit-sealer.service';
import { AuditWatch } from './audit-watch.service';

describeOneEngine('The nightly verification of the audit log', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.stop());

  async function told(): Promise<string | undefined> {
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
    return /^petstore_audit_chain_broken (\d)$/m.exec(metrics)?.[1];
  }

  it('sets a metric that says whether events were changed', async () => {
    const { app } = service;
    const [watch, database] = [app.get(AuditWatch), app.get(Database)];
    expect(await told()).toBeUndefined();
    await database.transaction(() =>
      app.get(AuditLog).record({ action: 'things.touch', subject: { type: 'things', id: 1n } }),
    );
    await app.get(AuditSealer).seal();
    await watch.verify();
    expect(await told()).toBe('0');

    const sql = (text: string) => database.dataSource.query<{ name: string }[]>(text);
    await database.transaction(async () => {
      if (engine === 'postgres') await sql('SET LOCAL session_replication_role = replica');
      else {
        const triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'audit_%'";
        for (const { name } of await sql(triggers)) await sql(`DROP TRIGGER "${name}"`);
      }
      await sql("UPDATE audit_events SET actor = 'nobody'");
    });
    await watch.verify();
    expect(await told()).toBe('1');
  });
});
