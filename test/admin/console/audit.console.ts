import { AuditTrailService } from '../../../src/admin/audit/audit-trail.service';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { actingAs } from '../../../src/platform/security/actor';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { Database } from '../../../src/platform/database/database';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole, textIn } from '../../support/service/console';
import { calloutIn, emptyIn } from './support/said';

describeOneEngine('The pages of the audit log', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
    await record(
      Array.from({ length: 120 }, (_, i) => ({
        action: 'things.update',
        subject: { type: 'things', id: String(i) },
        before: { name: `before ${i}`, tags: ['a', 'b'], same: 1, gone: null },
        after: { name: `<after ${i}>`, tags: ['b'], same: 1, gone: 9007199254740993n },
      })),
    );
    await record([{ action: 'things.create', subject: { type: 'things', id: 'x' }, after: { name: 'x' } }]);
  });
  afterAll(() => service.stop());

  const record = (changes: Parameters<AuditLog['recordMany']>[0]) =>
    service.app.get(Database).transaction(() => service.app.get(AuditLog).recordMany(changes));
  const idsIn = (html: string) =>
    [...html.matchAll(/class="row-title" href="\/admin\/audit\/(\d+)"/g)].map(([, id]) => Number(id));
  const nextIn = (html: string) => /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');

  it('show every event once, newest first, page by page', async () => {
    const found: number[] = [];
    let path: string | undefined = '/admin/audit?subject=things';
    while (path !== undefined) {
      const { html } = await client.get(path);
      found.push(...idsIn(html));
      path = nextIn(html);
    }
    expect(found).toHaveLength(121);
    expect(found).toEqual([...new Set(found)].sort((a, b) => b - a));
  });

  it('say how far a search came when its time ran out, and continue from there', async () => {
    const trail = service.app.get(AuditTrailService, { strict: false });
    const at = new Date('2026-01-31T10:00:00.000Z');
    jest.spyOn(trail, 'searchBriefly').mockResolvedValueOnce({ items: [], lookedBackTo: { id: 2n, at } });
    const shown = await client.get('/admin/audit?action=nothing');
    expect(calloutIn(shown, 'looked_back')).toContain('2026-01-31 10:00:00 UTC');
    expect(emptyIn(shown)).toBeUndefined();
    expect(nextIn(shown.html)).toBe('/admin/audit?action=nothing&before=2');
  });

  it('show the values before and after a change, as escaped text', async () => {
    const { html } = await client.get('/admin/audit?subject=things/7');
    expect(idsIn(html)).toHaveLength(1);
    for (const part of [
      '<del>before 7</del>',
      '<ins>&lt;after 7&gt;</ins>',
      '<del>a, b</del>',
      '9007199254740993',
    ]) {
      expect(html).toContain(part);
    }
    const event = await client.get(`/admin/audit/${idsIn(html)[0]}`);
    expect(event.status).toBe(200);
    expect(event.html).toContain('things.update');
    expect(event.html).toContain('<ins>&lt;after 7&gt;</ins>');
  });

  it('show a dash for a list without entries, which would have no look of its own', async () => {
    const change = { before: { networks: ['192.0.2.0/24'] }, after: { networks: [] } };
    await record([{ action: 'things.open', subject: { type: 'things', id: '8' }, ...change }]);
    const [id] = idsIn((await client.get('/admin/audit?action=things.open')).html);
    const { html } = await client.get(`/admin/audit/${id}`);
    expect(html).toMatch(/<del>192\.0\.2\.0\/24<\/del>[^]*<ins><span class="nothing"/);
  });

  it('use readable names for values, and offer actors, actions and subjects as filters', async () => {
    const { key } = await service.app.get(ApiKeysService).create({ name: 'seller', scopes: ['pets:read'] });
    const subject = { type: 'pets', id: '7' };
    const at = '2026-01-31T09:30:00.000Z';
    const [before, after] = [{ status: 'available' }, { status: 'sold', categoryId: 3, seenAt: at }];
    await actingAs({ name: key.id }, () => record([{ action: 'pets.update', subject, before, after }]));
    const { html } = await client.get('/admin/audit?subject=pets/7');
    const changes = html.matchAll(
      /class="diff-member">([^<]*)<\/span>\s*<del>([\s\S]*?)<\/del>[\s\S]*?<ins>([\s\S]*?)<\/ins>/g,
    );
    const texts = [...changes].map(([, ...parts]) => parts.map((part) => textIn({ html: part }).trim()));
    expect(texts).toEqual([
      ['Status', 'Available', 'Sold'],
      ['Category id', expect.stringMatching(/^–/), '3'],
      ['Seen at', expect.stringMatching(/^–/), '31 Jan 2026, 09:30 UTC'],
    ]);
    const options = [...html.matchAll(/<option value="([^"]*)" label="([^"]*)">/g)].map(
      ([, ...option]) => option,
    );
    expect(options).toEqual(
      expect.arrayContaining([
        [key.id, 'seller'],
        ['pets.update', 'pets.update'],
        ['pets', 'pets'],
      ]),
    );
  });

  it('find events by actor, action and day', async () => {
    const count = async (query: string) => idsIn((await client.get(`/admin/audit?${query}`)).html).length;
    const today = new Date().toISOString().slice(0, 10);
    expect(await count(`action=things.create&from=${today}&to=${today}`)).toBe(1);
    expect(await count('action=things.create&to=2001-01-01')).toBe(0);
    expect(await count('action=things.create&from=2001-01-01&actor=service')).toBe(1);
    expect(await count('action=things.create&actor=unmatched')).toBe(0);
    expect(await count('action=things.create&before=1')).toBe(0);
    expect(await count('action=things.create&to=9999-12-31')).toBe(1);
  });

  it('name an invalid day, and apply the other filters', async () => {
    const { html, status } = await client.get('/admin/audit?action=things.create&from=yesterday');
    expect(status).toBe(200);
    expect(html).toContain('id="field-from-error"');
    expect(idsIn(html)).toHaveLength(1);
    const { html: subject } = await client.get('/admin/audit?action=things.create&subject=/1');
    expect(subject).toContain('id="field-subject-error"');
    expect(idsIn(subject)).toHaveLength(1);
  });

  it('name the actor and link to the subject', async () => {
    const { key } = await service.app
      .get(ApiKeysService)
      .create({ name: 'to be found', scopes: ['pets:read'] });
    const { html } = await client.get(`/admin/audit?subject=keys/${key.id}`);
    expect(html).toContain(`href="/admin/keys/${key.id}"`);
    const signIns = await client.get('/admin/audit?action=sessions.sign_in');
    expect(signIns.html).toContain('><bdi>test</bdi></a>');
  });

  it('link only to existing pages', async () => {
    const { id } = (await (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json()) as {
      id: number;
    };
    const gone = ['pets/import:1', 'pets/999999999', 'pets/x', 'keys/key_gone', 'things/7'];
    const subjects = [`pets/${id}`, ...gone].map((subject) => subject.split('/') as [string, string]);
    const action = 'linked.update';
    await record(subjects.map(([type, of]) => ({ action, subject: { type, id: of } })));
    const { html } = await client.get(`/admin/audit?action=${action}`);
    const linked = [...html.matchAll(/data-label="Subject"><a href="([^"]+)"/g)].map(([, path]) => path);
    expect(linked).toEqual([`/admin/records/pets/${id}`]);
    for (const path of linked) expect((await client.get(path as string)).status).toBe(200);
    for (const subject of gone) {
      const [event] = idsIn((await client.get(`/admin/audit?action=${action}&subject=${subject}`)).html);
      const shown = await client.get(`/admin/audit/${event}`);
      expect(shown.html).toContain(`<dd>${subject} · `);
    }
  });

  it('respond with 404 for a missing event', async () => {
    for (const id of ['0', '999999', 'x', '99999999999999999999']) {
      expect((await client.get(`/admin/audit/${id}`)).status).toBe(404);
    }
  });
});
