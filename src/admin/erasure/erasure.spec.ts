import { existsSync, readFileSync } from 'node:fs';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { addToSchema } from '../../../test/support/databases/with-schema';
import {
  CreateMembers1790000000002,
  Member,
  MEMBERS_ADMIN,
  MembersModule,
} from '../../../test/support/members.module';
import { Random } from '../../../test/support/service/audit-tampering';
import { heldOf } from '../../../test/support/service/held-of';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { randomValueTampering, type ValueRow } from '../../../test/support/service/value-tampering';
import { withFeatures } from '../../../test/support/service/with-features';
import { actingAs } from '../../platform/audit/actor';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { AuditTrailService } from '../audit/audit-trail.service';
import { AuditSealer } from '../audit/chain/audit-sealer.service';
import { type ChainReport, AuditVerifier } from '../audit/chain/audit-verifier.service';
import { RecordsService } from '../records/records.service';
import { UndoService } from '../records/undo.service';
import { ErasureService } from './erasure.service';

/** Erasures and tamperings at random, of each as many. */
const ROUNDS = Number(process.env.ERASURES ?? 40);

class Undone extends Error {}

describeEachEngine('The erasure of what tells of a person', (engine) => {
  let service: TestService;
  let database: Database;
  let erasure: ErasureService;
  let records: RecordsService;
  let takeBack: () => void;

  const sql = <Row>(text: string) => database.dataSource.query<Row[]>(text);
  const trail = () => service.app.get(AuditTrailService, { strict: false });
  const verify = () => service.app.get(AuditVerifier, { strict: false }).verify();
  const seal = () => service.app.get(AuditSealer, { strict: false }).seal();
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

  /** All that is stored, as text: on SQLite the bytes of the files, on PostgreSQL the rows of every table and their pages. */
  async function everything(): Promise<string> {
    if (engine === 'sqlite') {
      const file = new URL(service.database.url).pathname;
      const files = [file, `${file}-wal`].filter((each) => existsSync(each));
      return files.map((each) => readFileSync(each, 'latin1')).join('');
    }
    const tables = await sql<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    await sql('CHECKPOINT');
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await sql<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      texts.push(...rows.map(({ row }) => row));
    }
    for (const name of ['audit_events', 'personal_values', 'audit_seals']) {
      const [{ pages } = { pages: Buffer.alloc(0) }] = await sql<{ pages: Buffer }>(
        `SELECT pg_read_binary_file(pg_relation_filepath('${name}')) AS pages`,
      );
      texts.push(pages.toString('latin1'));
    }
    return texts.join('\n');
  }

  /** Changes values as an administrator of the database, and verifies the chain; rolls everything back afterwards. */
  async function tampered(statements: readonly string[]): Promise<ChainReport> {
    let report: ChainReport | undefined;
    const work = database.transaction(async () => {
      for (const statement of statements) await sql(statement);
      report = await verify();
      throw new Undone();
    });
    await expect(work).rejects.toThrow(Undone);
    return report as ChainReport;
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

  it('finds the values of personal fields in the audit log as they were, though its table has none', async () => {
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
    const rows = await sql<{ after: string }>(
      `SELECT "after" FROM audit_events WHERE subject_type = 'members'`,
    );
    for (const { after } of rows) {
      expect(after).toMatch(/"name":\{"personal":"sha256:[\w-]{43}"\}/);
      expect(after).toContain('"points":3');
    }
    await service.app.get(UndoService, { strict: false }).undo(MEMBERS_ADMIN, updated?.id as bigint);
    expect((await records.get(MEMBERS_ADMIN, id)).values).toMatchObject({ name: 'Zoë Quill' });
  });

  it('erases a removed record with its events, and the chain holds', async () => {
    const { id } = await records.create(MEMBERS_ADMIN, {
      name: 'Ida Marrow',
      email: 'ida@marrow.example',
      points: 3,
    });
    await seal();
    const subject = { type: 'members', id: String(id) };
    expect((await erasure.erase(subject, 'too early')).left).toEqual(['name', 'email']);
    await records.remove(MEMBERS_ADMIN, id);
    expect(await everything()).toContain('ida@marrow.example');
    expect(await erasure.erase(subject, 'letter 114')).toMatchObject({
      values: 2,
      left: [],
      isOffDisk: true,
    });
    expect(await everything()).not.toMatch(/Ida Marrow|ida@marrow\.example/);
    const [last, removed, , created] = await eventsOf('members', String(id));
    expect(last).toMatchObject({ action: 'audit.erase', after: { reason: 'letter 114', values: 2n } });
    const blank = { id, name: '[erased]', email: '[erased]', points: 3n };
    expect([removed?.before, created?.after]).toEqual([blank, blank]);
    await seal();
    expect(await verify()).toMatchObject({ fault: null, erased: 4 });
    expect(await heldOf(service, subject)).toMatchObject({ record: { name: `[erased ${id}]`, points: 3 } });
  });

  it('erases name and address of an operator, and what comes later is kept anew', async () => {
    const ana = { name: 'oidc:ana', personName: 'Ana Erasable', address: '203.0.113.77' };
    await actingAs(ana, () => record('operators', 'x@y.example'));
    await seal();
    const [before] = await eventsOf('things', 'operators');
    expect(before).toMatchObject({ actor: 'oidc:ana', actorName: 'Ana Erasable', address: '203.0.113.77' });
    await erasure.erase({ type: 'people', id: 'oidc:ana' }, 'left');
    await actingAs(ana, () => record('operators', 'x@y.example'));
    const [later, erased] = await eventsOf('things', 'operators');
    expect(erased).toMatchObject({ actor: 'oidc:ana', actorName: '[erased]', address: '[erased]' });
    expect(erased?.after).toMatchObject({ email: 'x@y.example' });
    expect(later).toMatchObject({ actorName: 'Ana Erasable' });
    await seal();
    expect(await verify()).toMatchObject({ fault: null });
  });

  it('erases sessions with their forms, stored events, responses, and addresses of clients about a record', async () => {
    const { id } = await records.create(MEMBERS_ADMIN, { name: 'Olga Trace', points: 1 });
    const subject = { type: 'members', id: String(id) };
    const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const insert = (table: string, row: Readonly<Record<string, string>>) =>
      sql(
        `INSERT INTO ${table} (${Object.keys(row)
          .map((name) => `"${name}"`)
          .join(', ')}) VALUES (${Object.values(row)
          .map((value) => `'${value}'`)
          .join(', ')})`,
      );
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
    expect(await everything()).not.toMatch(/Olga[ +]Trace|203\.0\.113\.[89]/);
    expect(await heldOf(service, subject)).toMatchObject({
      keptForms: [],
      storedEvents: [],
      idempotentResponses: [],
    });
  });

  it('judges events of before by their seals as ever', async () => {
    await sql(
      `INSERT INTO audit_events (at, actor, actor_name, action, subject_type, subject_id, "after", address) VALUES ('2026-01-31 12:00:00.000', 'oidc:old', 'Old Name', 'things.touch', 'things', 'old', '{"email":"old@old.example"}', '192.0.2.1')`,
    );
    await seal();
    expect(await verify()).toMatchObject({ fault: null });
    const [old] = await eventsOf('things', 'old');
    expect(old).toMatchObject({
      actorName: 'Old Name',
      address: '192.0.2.1',
      after: { email: 'old@old.example' },
    });
  });

  it('leaves no erased value in the files, and each change of a value is named', async () => {
    const random = new Random(20_261_126);
    const erased: ValueRow[] = [];
    const plain: string[] = [];
    const select = 'SELECT event_id, member, subject_type, subject_id, sealed FROM personal_values';
    for (let index = 0; index < ROUNDS * 2; index++) {
      plain.push(`person-${index}-${random.below(1e9)}@erase.example`);
      await record(`r${index}`, plain[index] as string);
    }
    await seal();
    const unnamed: object[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      erased.push(
        ...(await sql<ValueRow>(`${select} WHERE subject_type = 'things' AND subject_id = 'r${round}'`)),
      );
      await erasure.erase({ type: 'things', id: `r${round}` }, `letter ${round}`);
      const stored = await sql<ValueRow>(`${select} WHERE subject_type = 'things' ORDER BY event_id, member`);
      const tampering = randomValueTampering(random, { stored, erased });
      const { fault } = await tampered(tampering.statements);
      if (!fault || !tampering.events.includes(fault.eventId)) unnamed.push({ ...tampering, fault });
    }
    expect(unnamed).toEqual([]);
    await seal();
    const { fault, erased: count } = await verify();
    expect(fault).toBeNull();
    expect(count).toBeGreaterThanOrEqual(ROUNDS);
    const text = await everything();
    expect(plain.filter((email) => text.includes(email))).toEqual([]);
    const found = await eventsOf('things', `r${ROUNDS}`);
    expect(found[0]?.after).toMatchObject({ email: plain[ROUNDS] });
  });

  it('stores under one key what two transactions record at once, and an erasure waits for neither for ever', async () => {
    const subject = { type: 'things', id: 'crowd' };
    const work = Array.from({ length: 12 }, (_, index) =>
      index % 4 === 3 ? erasure.erase(subject, 'crowd') : record('crowd', `crowd-${index}@erase.example`),
    );
    await Promise.all(work);
    await seal();
    expect(await verify()).toMatchObject({ fault: null });
  });
});
