import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import { CreateMembers1790000000002, Member, MembersModule } from '../../../test/support/members.module';
import { heldOf } from '../../../test/admin/support/held-of';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { storedText } from '../../../test/support/service/stored-text';
import { withFeatures } from '../../../test/support/service/with-features';
import { Database } from '../../platform/database/database';
import { AuditTrailService } from '../audit/audit-trail.service';
import { ErasureService } from './erasure.service';

/** Rows that version 1.1.0 has written: events with seals and encrypted values, and an event of version 1.0.0. */
const ROWS = JSON.parse(
  readFileSync(join(__dirname, '../../../test/support/samples/events-of-1.1.0.json'), 'utf8'),
) as Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>;

describeEachEngine('Audit events of versions before', (engine) => {
  let service: TestService;
  let takeBack: () => void;

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
    service = await withFeatures({ MembersModule }, () => startTestService(engine));
    const { dataSource } = service.app.get(Database);
    if (engine === 'postgres') await dataSource.query("SELECT setval('audit_events_id_seq', 2000)");
    for (const [table, rows] of Object.entries(ROWS)) {
      for (const row of rows) {
        const names = Object.keys(row).map((name) => `"${name}"`);
        const values = Object.values(row).map((value) => (value === null ? 'NULL' : `'${value}'`));
        await dataSource.query(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`);
      }
    }
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  const eventsOf = (subjectType: string, subjectId: string) =>
    service.app.get(AuditTrailService, { strict: false }).list({ subjectType, subjectId }, { limit: 9 });
  const erase = (type: string, id: string) =>
    service.app.get(ErasureService, { strict: false }).erase({ type, id }, 'letter');

  it('are read as they are, and overwritten by an erasure, which deletes encrypted values', async () => {
    const [update, creation] = await eventsOf('members', '7');
    expect(creation).toMatchObject({ actorName: 'Ana Plain', after: { name: 'Mia Plain', points: 3n } });
    expect(update).toMatchObject({
      actorName: 'Ana Sealed',
      address: '192.0.2.7',
      before: { name: 'Mia Plain', points: 3n },
      after: { name: 'Mia Sealed', points: 9_007_199_254_740_993n },
    });
    const [signIn] = await eventsOf('sessions', 's1');
    expect(signIn?.after).toMatchObject({ userAgent: 'Sealed/1.0' });
    const [, erased] = await eventsOf('members', '8');
    expect(erased).toMatchObject({ before: { name: '[erased]' }, after: { name: '[erased]' } });
    expect(await heldOf(service, { type: 'people', id: 'oidc:ben' })).toMatchObject({
      eventsAboutOthers: [{ action: 'sessions.sign_in' }],
    });

    const values = async (type: string, id: string) => (await erase(type, id)).values;
    expect(await values('members', '7')).toBe(3);
    expect(await values('people', 'oidc:ben')).toBe(1);
    expect((await eventsOf('members', '7')).slice(1)).toMatchObject([
      { actorName: 'Ana Sealed', after: { name: '[erased]', points: 9_007_199_254_740_993n } },
      { actorName: 'Ana Plain', after: { name: '[erased]', points: 3n } },
    ]);
    expect((await eventsOf('sessions', 's1'))[0]?.after).toMatchObject({ userAgent: '[erased]' });
    await erase('people', 'oidc:ana');
    const blank = { actorName: '[erased]', address: '[erased]' };
    expect((await eventsOf('members', '7')).slice(1)).toMatchObject([blank, blank]);
    const text = await storedText(service);
    expect(text).not.toMatch(/Mia Plain|Ana Plain|192\.0\.2\.1/);
    const sealed = (ROWS.personal_values ?? []).map((row) => row.sealed ?? '');
    expect(sealed.filter((each) => text.includes(each))).toEqual([]);
  });
});
