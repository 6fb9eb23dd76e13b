import { Client } from 'pg';
import { AuditLog } from '../../src/platform/audit/audit-log';
import { Database } from '../../src/platform/database/database';
import { describeOneEngine } from '../support/databases/databases';
import { startTestService, type TestService } from '../support/service/service';

interface Page {
  readonly items: { readonly id: number; readonly subjectId: string }[];
  readonly next: number | null;
}

describeOneEngine('GET /audit-events', (engine) => {
  let service: TestService;
  let ids: number[];

  const ask = (query: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${service.managementPort}/audit-events${query}`, {
      headers: { authorization: `Bearer ${service.key}`, ...headers },
    });
  const page = async (query: string): Promise<Page> => {
    const response = await ask(query);
    expect(response.status).toBe(200);
    return (await response.json()) as Page;
  };

  beforeAll(async () => {
    service = await startTestService(engine);
    const log = service.app.get(AuditLog);
    const changes = ['1', '2', '3', '4', '5'].map((id) => ({
      action: 'things.touch',
      subject: { type: 'things', id },
    }));
    const recorded = await service.app.get(Database).transaction(() => log.recordMany(changes));
    ids = recorded.map(Number).sort((one, other) => one - other);
  });
  afterAll(() => service.stop());

  it('gives the events after one, oldest first, and where to continue', async () => {
    const first = await page(`?after=${ids[0]}&limit=2`);
    expect(first.items.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    expect(first.next).toBe(ids[2]);
    const rest = await page(`?after=${first.next}`);
    expect(rest.items.map(({ id }) => id)).toEqual([ids[3], ids[4]]);
    expect(await page(`?after=${rest.next}`)).toEqual({ items: [], next: ids[4] });
    expect((await page('?limit=500')).items.map(({ id }) => id).slice(-5)).toEqual(ids);
  });

  it('gives them as OCSF', async () => {
    const { items, next } = (await page(`?format=ocsf&after=${ids[3]}`)) as unknown as {
      items: object[];
      next: number;
    };
    expect(items).toMatchObject([{ class_uid: 6003, metadata: { uid: String(ids[4]) } }]);
    expect(next).toBe(ids[4]);
  });

  it.each([
    ['no token', '', { authorization: '' }, 401, 'not_signed_in'],
    ['no token, whatever the query is', '?limit=0', { authorization: '' }, 401, 'not_signed_in'],
    ['a page of a browser', '', { origin: 'http://127.0.0.1' }, 403, 'not_allowed'],
    ['an event that is not in the log', '?after=999999999', {}, 404, 'audit_event_not_found'],
    ['an id that is none', '?after=x', {}, 400, 'invalid_parameter'],
    ['too many events', '?limit=501', {}, 400, 'invalid_parameter'],
    ['an unknown format', '?format=csv', {}, 400, 'invalid_parameter'],
    ['an unknown parameter', '?page=2', {}, 400, 'unknown_parameter'],
  ])('refuses %s', async (_title, query, headers, status, code) => {
    const response = await ask(query, headers);
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('refuses a key without the scope admin:read', async () => {
    const token = await service.keyWith('pets:read');
    expect((await ask('', { authorization: `Bearer ${token}` })).status).toBe(401);
  });

  if (engine === 'sqlite') return;

  describe('while another connection', () => {
    let other: Client;
    beforeEach(async () => {
      other = new Client({ connectionString: service.database.url });
      await other.connect();
      await other.query('BEGIN');
    });
    afterEach(() => other.end());

    it('is adding an event, gives nothing that this one may precede', async () => {
      await other.query(
        `INSERT INTO audit_events (at, actor, action, subject_type, subject_id) VALUES (now(), 'cli:jo', 'things.touch', 'things', '6')`,
      );
      expect(await page(`?after=${ids[4]}`)).toEqual({ items: [], next: ids[4] });
      await other.query('COMMIT');
      const { items } = await page(`?after=${ids[4]}`);
      expect(items.map(({ subjectId }) => subjectId)).toContain('6');
    });

    it('has locked the log, refuses the third page that one operator asks for at once', async () => {
      await other.query('LOCK TABLE audit_events');
      const responses = [1, 2, 3].map(() => ask('?limit=1'));
      const first = await Promise.race(responses);
      expect([first.status, first.headers.get('retry-after')]).toEqual([429, '1']);
      await other.query('COMMIT');
      const statuses = (await Promise.all(responses)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 200, 429]);
    });
  });
});
