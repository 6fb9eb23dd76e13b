import { once } from 'node:events';
import { AuditTrailService } from '../../src/admin/audit/audit-trail.service';
import { AuditSealer } from '../../src/admin/audit/chain/audit-sealer.service';
import { AuditVerifier } from '../../src/admin/audit/chain/audit-verifier.service';
import { AuditLog } from '../../src/platform/audit/audit-log';
import { PersonalValue } from '../../src/platform/audit/personal-value.entity';
import { Database } from '../../src/platform/database/database';
import { CliInProcess } from '../cli/support/cli-in-process';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';

const SUBJECT = { type: 'things', id: 'many' };
const EVENTS = 150;
const NAMES = Array.from({ length: 100 }, (_, index) => `name${index}`);

describe('An erasure of very many values that is killed', () => {
  let service: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    cli = new CliInProcess({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.stop());

  const database = () => service.app.get(Database);
  const sql = (text: string) => database().dataSource.query<unknown[]>(text);
  const values = () => database().dataSource.getRepository(PersonalValue).count();
  const seal = () => service.app.get(AuditSealer, { strict: false }).seal();
  const verify = () => service.app.get(AuditVerifier, { strict: false }).verify();
  const events = () =>
    service.app
      .get(AuditTrailService, { strict: false })
      .list({ subjectType: 'things', subjectId: 'many' }, { limit: EVENTS + 9 });

  async function record(count: number): Promise<void> {
    const after = Object.fromEntries(NAMES.map((name) => [name, `${name} of a person`]));
    await database().transaction(async () => {
      for (let index = 0; index < count; index++) {
        await service.app
          .get(AuditLog)
          .record({ action: 'things.create', subject: SUBJECT, after, personal: NAMES });
      }
    });
  }

  /** Kills an erasure in the middle of its third batch, which a trigger makes endless. */
  async function killErasure(): Promise<void> {
    const [, at] = (await events())
      .map(({ id }) => id)
      .reverse()
      .slice(120);
    await sql(
      'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS i FROM n',
    );
    await sql(
      `CREATE TRIGGER stuck AFTER DELETE ON personal_values WHEN OLD.event_id = ${at} BEGIN SELECT i FROM endless; END`,
    );
    const all = await values();
    const erasing = cli.process.start('audit', 'erase', '--subject', 'things/many', '--reason', 'x', '--yes');
    await until(async () => all - (await values()) >= 10_000);
    erasing.kill('SIGKILL');
    await once(erasing, 'close');
    await sql('DROP TRIGGER stuck');
    await sql('DROP VIEW endless');
  }

  it('leaves no value that can be read and a log that is proven, and a repetition ends it', async () => {
    await record(EVENTS);
    await seal();
    await killErasure();
    const [begun, ...others] = await events();
    expect(begun).toMatchObject({ action: 'audit.erase', after: { reason: 'x', isFinished: false } });
    expect(
      others.filter(({ after }) => Object.values(after ?? {}).some((value) => value !== '[erased]')),
    ).toEqual([]);
    expect(await values()).toBeGreaterThan(0);
    // What comes later has a new key, and is none of what was erased.
    await record(1);
    await seal();
    const report = { fault: null, erased: EVENTS * NAMES.length, unfinished: ['things/many'] };
    expect(await verify()).toMatchObject(report);
    expect((await cli.run('audit', 'verify')).stderr).toContain(
      'The erasure of things/many has not ended: if it was interrupted, repeat it.',
    );
    const again = await cli.run('audit', 'erase', '--subject', 'things/many', '--reason', 'x', '--yes');
    expect(again.code).toBe(0);
    await seal();
    const erased = (EVENTS + 1) * NAMES.length;
    expect(await verify()).toMatchObject({ fault: null, erased, unfinished: [] });
    expect(await sql("SELECT 1 FROM personal_values WHERE subject_type = 'things'")).toEqual([]);
  });
});
