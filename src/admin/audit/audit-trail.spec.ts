import { actingAs } from '../../platform/security/actor';
import { AuditLog, type AuditedChange } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { ROWS_PER_SEARCH } from '../../platform/database/entities/log-search';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { watchStatements } from '../../../test/support/service/statements';
import {
  type AuditEntry,
  AuditTrailService,
  changesInWords,
  changedMembers,
  subjectInWords,
} from './audit-trail.service';
import { idRanges } from './id-ranges';
import { OlderChanges } from './older-changes.service';

describeEachEngine('The audit trail', (engine) => {
  let service: TestService;
  let trail: AuditTrailService;
  let database: Database;

  const record = (name: string, ...changes: AuditedChange[]) =>
    actingAs({ name }, () => database.transaction(() => service.app.get(AuditLog).recordMany(changes)));
  const subject = (id: bigint) => ({ type: 'things', id });
  const ids = (entries: readonly AuditEntry[]) => entries.map(({ subjectId }) => subjectId);

  beforeAll(async () => {
    service = await startTestService(engine);
    trail = service.app.get(AuditTrailService);
    database = service.app.get(Database);
    await record('cli:jo', {
      action: 'things.create',
      subject: subject(1n),
      after: { id: 9007199254740993n },
    });
    await record('cli:jo', {
      action: 'things.update',
      subject: subject(1n),
      before: { name: 'a', tags: ['x'], note: null },
      after: { name: 'b', tags: ['x'], price: 1.5 },
    });
    await record('key_1', { action: 'things.remove', subject: subject(2n), before: { name: 'b' } });
  });
  afterAll(() => service.stop());

  it('lists recorded events newest first, with exact integers', async () => {
    const [removed, updated, created] = await trail.list({ subjectType: 'things' }, { limit: 10 });
    expect(removed).toMatchObject({ actor: 'key_1', subjectId: '2', before: { name: 'b' }, after: null });
    expect(created).toEqual({
      id: expect.anything() as unknown,
      at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      ...{ actor: 'cli:jo', action: 'things.create', subjectType: 'things', subjectId: '1' },
      ...{ before: null, after: { id: 9007199254740993n }, requestId: null, address: null },
      ...{ actorName: null, whole: null },
    });
    expect(changedMembers(updated as AuditEntry)).toEqual([
      { member: 'name', before: 'a', after: 'b' },
      { member: 'note', before: null, after: undefined },
      { member: 'price', before: undefined, after: 1.5 },
    ]);
  });

  it('has no event that is recorded outside the transaction of its change', async () => {
    const change = { action: 'things.create', subject: subject(9n) };
    await expect(service.app.get(AuditLog).record(change)).rejects.toThrow('in the transaction');
  });

  it('is filtered by actor, action, subject and time', async () => {
    const list = async (filter: object) => ids(await trail.list(filter, { limit: 10 }));
    expect(await list({ actor: 'cli:jo' })).toEqual(['1', '1']);
    expect(await list({ action: 'things.remove' })).toEqual(['2']);
    expect(await list({ subjectType: 'things', subjectId: '2' })).toEqual(['2']);
    const [{ at }] = (await trail.list({ action: 'things.remove' }, { limit: 1 })) as [AuditEntry];
    const things = { subjectType: 'things' };
    expect(await list({ ...things, at: { before: new Date(at) } })).not.toContain('2');
    expect(await list({ ...things, at: { from: new Date(at) } })).toContain('2');
    expect(await list({ ...things, at: { from: new Date(Date.now() + 60_000) } })).toEqual([]);
  });

  it('is searched in parts, and for a person for at most a second, however old the matches are', async () => {
    await database.dataSource.query(`
      INSERT INTO audit_events (at, actor, action, subject_type, subject_id)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS_PER_SEARCH + 100})
      SELECT ${engine === 'sqlite' ? `'2100-01-01 00:00:00.000'` : `timestamptz '2100-01-01 00:00:00Z'`}, 'key_2', 'filler', 'filler', '1' FROM n`);
    const filter = { action: 'things.remove' };
    expect(ids(await trail.list(filter, { limit: 10 }))).toEqual(['2']);
    expect(ids(await trail.list({ ...filter, actor: 'key_1' }, { limit: 10 }))).toEqual(['2']);
    expect(ids((await trail.searchBriefly(filter, { limit: 10 })).items)).toEqual(['2']);
    expect(await trail.list({ actor: 'key_2', at: { from: new Date('2101-01-01') } }, { limit: 10 })).toEqual(
      [],
    );

    const now = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(2_000);
    const first = await trail.searchBriefly(filter, { limit: 10 });
    now.mockRestore();
    expect(first).toMatchObject({ items: [], lookedBackTo: { at: new Date('2100-01-01') } });
    const second = await trail.searchBriefly(filter, { before: first.lookedBackTo?.id, limit: 10 });
    expect(ids(second.items)).toEqual(['2']);
    expect(second.lookedBackTo).toBeUndefined();
  });

  it('is exported page by page without events that are recorded meanwhile', async () => {
    const many = Array.from({ length: 1_234 }, (_, index) => index + 1);
    const change = (id: number): AuditedChange => ({
      action: 'many.touch',
      subject: { type: 'many', id: BigInt(id) },
    });
    await record('cli:jo', ...many.map(change));
    const seen: string[] = [];
    for await (const page of trail.pages({ subjectType: 'many' })) {
      if (seen.length === 0) await record('cli:jo', change(9_999));
      expect(page.length).toBeLessThan(many.length);
      seen.push(...page.map(({ subjectId }) => subjectId));
    }
    expect(seen).toEqual(many.map(String).reverse());
  });

  const changesOf = (type: string, from: number, count: number): AuditedChange[] =>
    Array.from({ length: count }, (_, index) => ({
      action: `${type}.update`,
      subject: { type, id: BigInt(from + index) },
    }));
  /** Records a part of a bulk change. @returns the whole */
  const recordPart = (changes: readonly AuditedChange[], after: object, whole?: bigint) =>
    actingAs({ name: 'cli:jo' }, () =>
      database.transaction(() =>
        service.app.get(AuditLog).recordAsOne({
          changes,
          whole,
          together: (one) => ({
            action: `${changes[0]?.action}_all`,
            subject: { type: changes[0]?.subject.type ?? '', id: `bulk:${one}` },
            after: { changed: changes.length, ...after },
          }),
        }),
      ),
    );

  it('shows a bulk change as one entry that opens page by page, beside events that others recorded meanwhile', async () => {
    const set = { price: 2n };
    const bulk = await recordPart(changesOf('bulky', 1, 40), { set, runChanged: 40 });
    await record('cli:jo', ...changesOf('other', 1, 3));
    await recordPart(changesOf('bulky', 41, 47), { set, runChanged: 87 }, bulk);
    const list = await trail.listFolded({ actor: 'cli:jo' }, { limit: 5 });
    expect(list.slice(0, 4).map(({ action }) => action)).toEqual([
      ...['other.update', 'other.update', 'other.update'],
      'bulky.update_all',
    ]);
    expect(list[4]?.id).toBeLessThan(bulk - 40n);
    const whole = list[3] as AuditEntry;
    expect([whole.id, subjectInWords(whole), changesInWords(whole)]).toEqual([bulk, '87 bulky', 'price: 2']);
    expect(subjectInWords((await trail.find(bulk)) as AuditEntry)).toBe('87 bulky');
    const below = await trail.listFolded({ subjectType: 'bulky' }, { before: bulk, limit: 5 });
    expect(below).toEqual([]);
    const opened: AuditEntry[] = [];
    for (let before: bigint | undefined; opened.length < 87; before = opened.at(-1)?.id) {
      const page = await trail.list({ whole: bulk, action: 'bulky.update' }, { before, limit: 40 });
      expect(page.length).toBeGreaterThan(0);
      opened.push(...page);
    }
    expect(ids(opened)).toEqual(ids(opened).toSorted((one, other) => Number(other) - Number(one)));
    expect(new Set(ids(opened)).size).toBe(87);
    expect(await trail.listFolded({ action: 'bulky.update' }, { limit: 100 })).toHaveLength(87);
    expect(await trail.listFolded({ action: 'bulky.update_all' }, { limit: 100 })).toHaveLength(1);
  });

  it('names the record of a bulk change of one alone', async () => {
    await recordPart(changesOf('single', 7, 1), { set: {}, ids: '7' });
    const [entry] = (await trail.listFolded({ subjectType: 'single' }, { limit: 1 })) as [AuditEntry];
    expect(subjectInWords(entry)).toBe('single/7');
  });

  it('joins what a node of 1.2.0 has recorded of a bulk change or an import, and keeps that', async () => {
    const about = (type: string, action: string, subjectId: string, after: object): AuditedChange => ({
      action: `${type}.${action}`,
      subject: { type, id: subjectId },
      after,
    });
    const first = await record('cli:jo', ...changesOf('older', 1, 30));
    const [bulk] = await record(
      'cli:jo',
      about('older', 'update_all', 'bulk:1', { changed: 30, runChanged: 30, events: idRanges(first) }),
    );
    const second = await record('cli:jo', ...changesOf('older', 31, 20));
    const parts = await record(
      'cli:jo',
      about('older', 'update_all', 'bulk:1', { changed: 20, runChanged: 50, events: idRanges(second) }),
      about('older', 'import', 'import:1', { file: 'a.csv', imported: 3, ids: '1..3', runImported: 3 }),
      about('older', 'import', 'import:1', { file: 'a.csv', imported: 2, ids: '4..5', runImported: 5 }),
    );
    const filter = { subjectType: 'older' };
    expect(await trail.listFolded(filter, { limit: 100 })).toHaveLength(54);

    const older = service.app.get(OlderChanges, { strict: false });
    await older.run();
    const joined = await trail.listFolded(filter, { limit: 100 });
    expect(joined.map((entry) => [entry.id, subjectInWords(entry)])).toEqual([
      [parts[1], '5 older'],
      [bulk, '50 older'],
    ]);
    expect(await trail.list({ whole: bulk, action: 'older.update' }, { limit: 100 })).toHaveLength(50);
    const { statements } = await watchStatements(service, () => older.run());
    expect(statements.filter(({ text }) => text.startsWith('UPDATE'))).toEqual([]);
    for (const whole of ['NULL', String(parts[1])]) {
      const attempt = database.dataSource.query(
        `UPDATE audit_events SET whole = ${whole} WHERE whole = ${bulk}`,
      );
      await expect(attempt).rejects.toThrow(/append-only/);
    }
  });

  it.each([
    ['changed', `UPDATE audit_events SET actor = 'intruder'`],
    ['joined', `UPDATE audit_events SET whole = (SELECT max(id) FROM audit_events)`],
    ['removed', 'DELETE FROM audit_events'],
    ['removed one by one', 'DELETE FROM audit_events WHERE id = 1'],
  ])('cannot be %s, even with direct access to the database', async (_what, sql) => {
    const before = await trail.list({}, { limit: 10 });
    const attempt = database.dataSource.query(sql);
    await expect(attempt).rejects.toThrow(/append-only/);
    expect(await trail.list({}, { limit: 10 })).toEqual(before);
  });

  it('cannot be emptied', async () => {
    if (engine === 'sqlite') return;
    const attempt = database.dataSource.query('TRUNCATE audit_events');
    await expect(attempt).rejects.toThrow(/append-only/);
  });
});
