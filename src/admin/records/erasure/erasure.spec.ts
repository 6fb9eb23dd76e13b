import { describeEachEngine } from '../../../../test/support/databases/databases';
import { addToSchema } from '../../../../test/support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../../../test/support/members.module';
import { heldOf } from '../../../../test/admin/support/held-of';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { storedText } from '../../../../test/support/service/stored-text';
import { withFeatures } from '../../../../test/support/service/with-features';
import { actingAs } from '../../../platform/security/actor';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { RecordsService } from '../records.service';
import { UndoService } from '../undo.service';
import { erasureInWords } from './erasure-words';
import { ErasureService } from './erasure.service';

/** Persons of whom every other is erased. */
const PERSONS = Number(process.env.ERASURES ?? 40);

describeEachEngine('The erasure of what identifies a person', (engine) => {
  let service: TestService;
  let database: Database;
  let erasure: ErasureService;
  let records: RecordsService;
  let takeBack: () => void;

  const sql = <Row>(text: string) => database.dataSource.query<Row[]>(text);
  const trail = () => service.app.get(AuditTrailService, { strict: false });
  const record = (id: string, email: string) =>
    database.transaction(() =>
      service.app.get(AuditLog).record({
        action: 'things.create',
        subject: { type: 'things', id },
        after: { id, email, size: 3n },
        personal: ['email'],
      }),
    );
  const eventsOf = async (subjectType: string, subjectId: string) =>
    trail().list({ subjectType, subjectId }, { limit: 20 });

  async function insert(table: string, row: Readonly<Record<string, string>>): Promise<void> {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const values = Object.values(row).map((value) => `'${value}'`);
    await sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`);
  }

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Member], migrations: [CreateMembers1790000000002] });
    service = await withFeatures({ MembersModule }, () => startTestService(engine));
    database = service.app.get(Database);
    erasure = service.app.get(ErasureService, { strict: false });
    records = service.app.get(RecordsService, { strict: false });
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  it('is of nothing that the audit log has of a record that is there, which can be undone', async () => {
    const { id } = await records.create(MEMBERS_ADMIN, {
      name: 'Zoë Quill',
      email: 'zoe@quill.example',
      points: 3,
    });
    await records.update(MEMBERS_ADMIN, id, { name: 'Zoë Quill-Ray' });
    const [updated, created] = await eventsOf('members', String(id));
    expect(updated).toMatchObject({
      before: { id, name: 'Zoë Quill', email: 'zoe@quill.example', points: 3n },
      after: { id, name: 'Zoë Quill-Ray', email: 'zoe@quill.example', points: 3n },
    });
    expect(created).toMatchObject({ before: null, after: { name: 'Zoë Quill' } });
    await service.app.get(UndoService, { strict: false }).undo(MEMBERS_ADMIN, updated?.id as bigint);
    expect((await records.get(MEMBERS_ADMIN, id)).values).toMatchObject({ name: 'Zoë Quill' });
  });

  it('erases a removed record with its events, and records that', async () => {
    const { id } = await records.create(MEMBERS_ADMIN, {
      name: 'Ida Marrow',
      email: 'ida@marrow.example',
      points: 3,
    });
    const subject = { type: 'members', id: String(id) };
    expect((await erasure.erase(subject, 'too early')).left).toEqual(['name', 'email']);
    await records.remove(MEMBERS_ADMIN, id);
    expect(await storedText(service)).toContain('ida@marrow.example');
    expect(await erasure.erase(subject, 'letter 114')).toMatchObject({
      values: 2,
      left: [],
      isOffDisk: true,
    });
    expect(await storedText(service)).not.toMatch(/Ida Marrow|ida@marrow\.example/);
    const [last, removed, , created] = await eventsOf('members', String(id));
    expect(last).toMatchObject({ action: 'audit.erase', after: { reason: 'letter 114' } });
    const blank = { id, name: '[erased]', email: '[erased]', points: 3n };
    expect([removed?.before, created?.after]).toEqual([blank, blank]);
    expect(await heldOf(service, subject)).toMatchObject({ record: { name: `[erased ${id}]`, points: 3 } });
  });

  it('erases name and address of an operator, and what comes later is kept anew', async () => {
    const ana = { name: 'oidc:ana', personName: 'Ana Erasable', address: '203.0.113.77' };
    await actingAs(ana, () => record('operators', 'x@y.example'));
    const [before] = await eventsOf('things', 'operators');
    expect(before).toMatchObject({ actor: 'oidc:ana', actorName: 'Ana Erasable', address: '203.0.113.77' });
    await erasure.erase({ type: 'people', id: 'oidc:ana' }, 'left');
    await actingAs(ana, () => record('operators', 'x@y.example'));
    const [later, erased] = await eventsOf('things', 'operators');
    expect(erased).toMatchObject({ actor: 'oidc:ana', actorName: '[erased]', address: '[erased]' });
    expect(erased?.after).toMatchObject({ email: 'x@y.example' });
    expect(later).toMatchObject({ actorName: 'Ana Erasable' });
  });

  it('erases sessions with their forms, stored events, responses, and addresses of clients about a record', async () => {
    const { id } = await records.create(MEMBERS_ADMIN, { name: 'Olga Trace', points: 1 });
    const subject = { type: 'members', id: String(id) };
    const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const times = { created_at: now, last_seen_at: now };
    const session = { lineage_id: 'oidc:olga', address: '203.0.113.8', user_agent: 'x', ...times };
    const form = JSON.stringify({
      address: `/admin/records/members/${id}/edit?x=1`,
      fields: 'name=Olga+Trace',
    });
    await insert('admin_sessions', {
      id: 'one',
      token_hash: 'h1',
      key_id: 'oidc:olga',
      kept_form: form,
      ...session,
    });
    await insert('stored_events', {
      event: 'MemberAdded',
      handler: 'h',
      consumer: 'c',
      subject: `members/${id}`,
      payload: '{"name":"Olga Trace"}',
      published_at: now,
      attempts: '0',
      due_at: '9999-12-31 00:00:00.000',
    });
    await insert('idempotent_answers', {
      lineage_id: 'l',
      operation: 'createMember',
      key: 'k',
      fingerprint: 'f',
      status: '201',
      body: '{"name":"Olga Trace"}',
      location: `/v1/members/${id}`,
      created_at: now,
    });
    const change = {
      kind: 'members',
      record_id: String(id),
      id: '7',
      verb: 'update',
      operation: 'patchMember',
    };
    await insert('client_changes', { ...change, request_id: 'olga-request', address: '203.0.113.9' });
    expect(await heldOf(service, subject)).toMatchObject({
      record: { name: 'Olga Trace' },
      keptForms: [{ fields: 'name=Olga+Trace' }],
      storedEvents: [{ event: 'MemberAdded' }],
      idempotentResponses: [{ body: '{"name":"Olga Trace"}' }],
      clientChanges: [{ address: '203.0.113.9' }],
    });
    expect(await heldOf(service, { type: 'people', id: 'oidc:olga' })).toMatchObject({
      sessions: [{ id: 'one', address: '203.0.113.8' }],
    });
    await records.remove(MEMBERS_ADMIN, id);
    await erasure.erase(subject, 'letter');
    await erasure.erase({ type: 'people', id: 'oidc:olga' }, 'letter');
    expect(await storedText(service)).not.toMatch(/Olga[ +]Trace|203\.0\.113\.[89]/);
    expect(await heldOf(service, subject)).toMatchObject({
      keptForms: [],
      storedEvents: [],
      idempotentResponses: [],
    });
  });

  it('leaves no erased value in the files, and all others', async () => {
    const emails = Array.from({ length: PERSONS }, (_, index) => `person-${index}-of-many@erase.example`);
    for (const [index, email] of emails.entries()) await record(`r${index}`, email);
    for (let index = 0; index < PERSONS; index += 2) {
      expect(await erasure.erase({ type: 'things', id: `r${index}` }, 'letter')).toMatchObject({
        values: 1,
        isOffDisk: true,
      });
    }
    const text = await storedText(service);
    expect(emails.filter((email) => text.includes(email))).toEqual(emails.filter((_, index) => index % 2));
  });

  it('overwrites more events than it reads at once, and counts each value once', async () => {
    const change = {
      action: 'things.touch',
      subject: { type: 'things', id: 'crowded' },
      before: { email: 'one@crowd.example' },
      after: { email: 'two@crowd.example' },
      personal: ['email'],
    };
    const changes = Array.from({ length: 1_100 }, () => change);
    await database.transaction(() => service.app.get(AuditLog).recordMany(changes));
    const subject = { type: 'things', id: 'crowded' };
    expect(await erasure.erase(subject, 'letter')).toMatchObject({ values: 2_200 });
    expect(await erasure.erase(subject, 'letter')).toMatchObject({ values: 0 });
    expect(await storedText(service)).not.toContain('@crowd.example');
  });

  it('is the only way to change events: of others nothing, and of its own only what may identify a person', async () => {
    await record('kept', 'kept@erase.example');
    await record('gone', 'gone@erase.example');
    const [{ id } = { id: 0n }] = await eventsOf('things', 'gone');
    await erasure.erase({ type: 'things', id: 'gone' }, 'letter');
    for (const statement of [
      `UPDATE audit_events SET "after" = '{}' WHERE subject_id = 'kept'`,
      `UPDATE audit_events SET actor = 'nobody' WHERE id = ${id}`,
      `UPDATE audit_events SET subject_id = 'other' WHERE id = ${id}`,
      `UPDATE audit_events SET "after" = '{}' WHERE action = 'audit.erase'`,
      'DELETE FROM audit_events',
      ...(engine === 'postgres' ? ['TRUNCATE audit_events'] : []),
    ]) {
      await expect(sql(statement)).rejects.toThrow(/append-only/);
    }
  });

  it('and changes at once wait for each other, and for neither for ever', async () => {
    const subject = { type: 'things', id: 'crowd' };
    const work = Array.from({ length: 12 }, (_, index) =>
      index % 4 === 3 ? erasure.erase(subject, 'crowd') : record('crowd', `crowd-${index}@erase.example`),
    );
    await Promise.all(work);
    await erasure.erase(subject, 'crowd');
    expect(await storedText(service)).not.toMatch(/crowd-\d+@/);
  });
});

describe('What is said of an erasure', () => {
  it('warns of old pages that stay on disk', () => {
    const done = { event: 1n, values: 1, left: [], hasPersonalFields: true };
    const said = (isOffDisk: boolean) =>
      erasureInWords({ type: 'people', id: 'ana' }, { ...done, isOffDisk }).join(' ');
    expect(said(true)).not.toContain('-wal');
    expect(said(false)).toContain('-wal');
  });
});
