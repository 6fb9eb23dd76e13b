import { AuditTrailService } from '../../../src/admin/audit/audit-trail.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { describeOneEngine } from '../../support/databases/databases';
import { addToSchema } from '../../support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../support/members.module';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { calloutIn, emptyIn, factsIn, faultsIn, noticeIn } from './support/said';

const ERASE = '/admin/audit/erase';

const pageOf = (subject: string) => `${ERASE}?subject=${encodeURIComponent(subject)}`;

describeOneEngine('The erasure of a person in the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let client: ConsoleClient;
  let takeBack: () => void;

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
    service = await withFeatures({ MembersModule }, () => startTestService(engine));
    records = service.app.get(RecordsService, { strict: false });
    client = await openConsole(
      service,
      await service.keyWith('admin:read', 'admin:members', 'admin:erasures'),
    );
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  const add = async (name: string) =>
    (await records.create(MEMBERS_ADMIN, { name, email: 'kim@example.com', points: 1 })).id;
  const send = (subject: string, fields: Record<string, string>) =>
    client.submit(pageOf(subject), ERASE, fields);
  const events = (subjectId: string) =>
    service.app
      .get(AuditTrailService, { strict: false })
      .list({ subjectType: 'members', subjectId }, { limit: 9 });

  it('is found from the audit log, the page of a record and that of a key', async () => {
    const id = await add('Reached');
    const [event] = await events(String(id));
    const link = `href="${pageOf(`members/${id}`)}"`;
    expect((await client.get('/admin/audit')).html).toContain(`href="${ERASE}"`);
    expect((await client.get(`/admin/audit/${event?.id}`)).html).toContain(link);
    expect((await client.get(`/admin/records/members/${id}`)).html).toContain(link);
    const key = (await client.get('/admin/keys')).html.match(/\/admin\/keys\/(key_\w+)/)?.[1];
    expect((await client.get(`/admin/keys/${key}`)).html).toContain(`href="${pageOf(`keys/${key}`)}"`);
  });

  it('shows first what is held of a subject, with a file of it, and links only what is there', async () => {
    const id = await add('Kim Held');
    const subject = `members/${id}`;
    const shown = await client.get(pageOf(subject));
    expect(factsIn(shown)).toMatchObject({ Record: '1', 'Audit events about the subject': '1' });
    expect(shown.html).toContain(`href="/admin/records/members/${id}"`);
    expect(shown.html).toContain(`href="/admin/audit?subject=${encodeURIComponent(subject)}"`);
    const file = await client.get(`${ERASE}/held?subject=${encodeURIComponent(subject)}`);
    expect(file.raw.headers.get('content-disposition')).toEqual([
      `attachment; filename="members-${id}.json"`,
    ]);
    expect(JSON.parse(file.html)).toMatchObject({
      subject,
      record: { name: 'Kim Held' },
      auditEvents: [{ action: 'members.create', after: { name: 'Kim Held' } }],
      sessions: [],
    });
    const unknown = await client.get(pageOf('members/999999'));
    expect(emptyIn(unknown)).toEqual({ 'Another subject': ERASE });
    expect(unknown.html).not.toMatch(/records\/members\/|method="post" action="\/admin\/audit\/erase/);
  });

  it('marks a subject that is written wrongly', async () => {
    expect((await client.get(ERASE)).html).toContain('id="field-subject-help"');
    const wrong = await client.get(pageOf('members'));
    expect([wrong.status, Object.keys(faultsIn(wrong))]).toEqual([422, ['subject']]);
  });

  it('asks for a reason and for the subject once more, and says that a record has to be removed first', async () => {
    const id = await add('Kim Present');
    const subject = `members/${id}`;
    const refused = await send(subject, { reason: ' ', confirmation: 'members' });
    expect(refused.status).toBe(422);
    expect(Object.keys(faultsIn(refused))).toEqual(['reason', 'confirmation']);
    expect(calloutIn(refused, 'staying')).toMatch(/\bmember\b.*\bName, Email\b/);
    expect(refused.html).toMatch(new RegExp(`data-code="staying"[^]*?href="/admin/records/${subject}`));
    expect(await events(String(id))).toHaveLength(1);
  });

  it('says that a key has to be revoked first, and of which records there is nothing to erase', async () => {
    const keys = service.app.get(ApiKeysService);
    const { key } = await keys.create({ name: 'k', scopes: ['pets:read'], owner: 'kim@example.com' });
    expect(calloutIn(await client.get(pageOf(`keys/${key.id}`)), 'staying')).toMatch(/\bkey\b.*\bOwner\b/);
    await keys.revoke(key.id);
    const revoked = await client.get(pageOf(`keys/${key.id}`));
    expect(factsIn(revoked)).toMatchObject({ 'API key': '1' });
    expect(revoked.html).not.toContain('data-code="staying"');
    const pet = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const { id } = (await pet.json()) as { id: number };
    expect(calloutIn(await client.get(pageOf(`pets/${id}`)), 'not_personal')).toMatch(/\bpets\b/);
    expect(revoked.html).not.toContain('data-code="not_personal"');
  });

  it('erases as the command does, and says what it erased and what remains to do', async () => {
    const id = await add('Kim Forgotten');
    const subject = `members/${id}`;
    await records.remove(MEMBERS_ADMIN, id);
    const done = await send(subject, { reason: 'letter 2026-114', confirmation: subject });
    const [event, removed] = await events(String(id));
    expect(event).toMatchObject({ action: 'audit.erase', after: { reason: 'letter 2026-114' } });
    expect(removed?.before).toMatchObject({ name: '[erased]', email: '[erased]' });
    expect([done.status, done.location]).toEqual([303, `${pageOf(subject)}&event=${event?.id}`]);
    const after = await client.get(done.location ?? '');
    expect(noticeIn(after)?.text).toMatch(new RegExp(`\\b4 .*\\b${subject}\\b`));
    expect(after.html).toContain('id="remaining"');
    expect(after.html).toContain(`href="/admin/audit/${event?.id}"`);
    expect(after.html).not.toContain('Kim Forgotten');
    // The address of another event says nothing of an erasure.
    expect((await client.get(`${pageOf(subject)}&event=${removed?.id}`)).html).not.toContain(
      'id="remaining"',
    );
  });

  it('shows a form again that was typed before the sign-in, and erases nothing', async () => {
    const id = await add('Kim Kept');
    const subject = `members/${id}`;
    const fresh = await openConsole(service);
    const sent = await fresh.post(ERASE, { subject, reason: 'letter 7', confirmation: subject });
    expect(sent.html).toContain('letter+7');
    expect(await events(String(id))).toHaveLength(1);
  });

  it('is neither shown nor done without the scope', async () => {
    const id = await add('Kim Closed');
    const reader = await openConsole(
      service,
      await service.keyWith('admin:read', 'admin:members', 'admin:keys'),
    );
    const subject = `members/${id}`;
    for (const path of ['/admin/audit', `/admin/records/members/${id}`]) {
      const { status, html } = await reader.get(path);
      expect([path, status, html.includes(ERASE)]).toEqual([path, 200, false]);
    }
    expect((await reader.get(pageOf(subject))).status).toBe(403);
    expect((await reader.get(`${ERASE}/held?subject=${subject}`)).status).toBe(403);
    const token = /name="_csrf" value="([^"]+)"/.exec((await reader.get('/admin/audit')).html)?.[1] ?? '';
    const fields = { _csrf: token, subject, reason: 'letter', confirmation: subject };
    expect((await reader.post(ERASE, fields)).status).toBe(403);
    // The token of another session: the form is shown again.
    expect((await client.post(ERASE, fields)).location).toBe(ERASE);
    expect(await events(String(id))).toHaveLength(1);
  });
});
