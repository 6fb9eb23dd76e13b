import { ApiKeysRepository } from '../../../src/auth/api-keys.repository';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, hiddenFields, openConsole, textIn } from '../../support/service/console';
import { calloutIn, codesIn, emptyIn, factsIn, noticeIn } from './support/said';

const TOKEN = /petk_[0-9A-Za-z]{49}/;

describeOneEngine('The pages about API keys', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    client = await openConsole(service, service.key);
  });
  afterAll(() => service.stop());

  const make = async (name: string) =>
    (await keys.create({ name, scopes: ['pets:read'], owner: 'Shop' })).key;
  const named = async (name: string) => (await keys.list()).filter((key) => key.name === name);

  it('offer scopes with what they allow, those of API clients first', async () => {
    const { html } = await client.get('/admin/keys/new');
    const offered = html.matchAll(/name="scopes"\s+value="([^"]*)"[\s\S]*?<small>([^<]*)</g);
    const [reading, writing, ...others] = [...offered].map(([, ...parts]) => parts);
    expect(reading).toEqual(['pets:read', expect.stringContaining('listPets, getPet')]);
    expect(writing).toEqual(['pets:write', expect.stringContaining('createPet')]);
    expect(others.map(([scope]) => scope)).toEqual(expect.arrayContaining(['admin:pets', 'admin:keys']));
  });

  it('make a key and show it once, however often the form is sent', async () => {
    const fields = {
      ...hiddenFields((await client.get('/admin/keys/new')).html, '/admin/keys/new'),
      name: 'nightly <export>',
      owner: 'Data & co',
      scopes: ['pets:read', 'pets:write'],
      expiresAt: '2031-02-28',
    };
    const issued = await client.post('/admin/keys/new', fields);
    expect(issued.status).toBe(200);
    expect(issued.raw.headers.get('cache-control')).toEqual(['no-store']);
    const [token = ''] = TOKEN.exec(issued.html) ?? [];
    const facts = { Scopes: 'pets:read pets:write', Expires: '1 Mar 2031, 00:00 UTC' };
    expect(factsIn(issued)).toMatchObject(facts);
    expect(textIn(issued)).toContain(
      `curl ${service.url}/v1/pets \\ -H "Authorization: Bearer $PETSTORE_API_KEY"`,
    );
    expect((await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      200,
    );

    const again = await client.post('/admin/keys/new', fields);
    expect(again.status).toBe(409);
    expect(again.html).not.toMatch(TOKEN);
    const [key, ...others] = await named('nightly <export>');
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      owner: 'Data & co',
      scopes: ['pets:read', 'pets:write'],
      expiresAt: '2031-03-01T00:00:00.000Z',
    });
    const { html } = await client.get(`/admin/keys/${key?.id}`);
    expect(html).toContain('nightly &lt;export&gt;');
    expect(html).not.toMatch(TOKEN);
    const [event] = await service.app.get(AuditLog).list({ action: 'keys.create' }, { limit: 1 });
    expect(event).toMatchObject({
      subjectId: key?.id,
      actor: expect.stringMatching(/^key_/),
      address: '127.0.0.1',
    });
    expect(event?.requestId).not.toBeNull();
    expect(service.log()).not.toContain(token);
  });

  it('offer no call with a key that may call none, and one to the configured address', async () => {
    const fields = { name: 'for people', scopes: 'admin:read', expiresAt: '' };
    const people = await client.submit('/admin/keys/new', '/admin/keys/new', fields);
    expect(factsIn(people)['Expires']).not.toMatch(/\d/);
    expect(people.html).not.toContain('curl');
    const behind = await startTestService(engine, { PUBLIC_BASE_URL: 'https://pets.example.com/v1' });
    try {
      const operator = await openConsole(behind, behind.key);
      const called = { ...fields, scopes: 'pets:read' };
      const { html } = await operator.submit('/admin/keys/new', '/admin/keys/new', called);
      expect(html).toContain('<code>curl https://pets.example.com/v1/pets \\');
    } finally {
      await behind.stop();
    }
  });

  it('make a key that expires after the chosen number of days', async () => {
    const fields = { name: 'for a while', scopes: 'pets:read', expiresIn: '90', expiresAt: '' };
    expect((await client.submit('/admin/keys/new', '/admin/keys/new', fields)).status).toBe(200);
    const [key] = await named('for a while');
    const days = (Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it.each([
    ['name', { name: ' ', scopes: 'pets:read' }],
    ['scopes', { name: 'kept typed', scopes: 'pets:none' }],
    ['expiresAt', { name: 'kept typed', scopes: 'pets:read', expiresAt: '2031-02-30' }],
  ])('keep what was typed when %s is refused, and mark it: %j', async (field, fields) => {
    const response = await client.submit('/admin/keys/new', '/admin/keys/new', fields);
    expect(response.status).toBe(422);
    expect(response.html).toContain(`id="field-${field}-error"`);
    expect(response.html).toContain(`href="#field-${field}"`);
    expect(response.html).toContain(`value="${fields.name.trim()}"`);
    expect(await named(fields.name)).toEqual([]);
    // What was refused can be sent again when it is corrected.
    const corrected = {
      ...hiddenFields(response.html, '/admin/keys/new'),
      name: `corrected ${field}`,
      scopes: 'pets:read',
    };
    expect((await client.post('/admin/keys/new', corrected)).status).toBe(200);
  });

  it('disable, enable and revoke a key, and say so once on the next page', async () => {
    const { id } = await make('switched');
    const path = `/admin/keys/${id}`;
    const disabled = await client.submit(path, `${path}/disable`);
    expect(disabled).toMatchObject({ status: 303, location: path });
    expect(noticeIn(await client.get(path))?.text).toContain('switched');
    expect(noticeIn(await client.get(path))).toBeUndefined();
    expect((await keys.show(id)).status).toBe('disabled');
    await client.submit(path, `${path}/enable`);
    expect((await keys.show(id)).status).toBe('active');
    await client.submit(`${path}/revoke`, `${path}/revoke`);
    expect((await keys.show(id)).status).toBe('revoked');
    const { html } = await client.get(path);
    expect(html).not.toContain(`action="${path}/`);
    const refused = await client.post(`${path}/enable`, hiddenFields(html, '/admin/sign-out'));
    expect([refused.status, codesIn(refused)]).toEqual([409, ['api_key_refused']]);
  });

  it('sign out a person who revokes the key of the session', async () => {
    const { key, token } = await keys.create({ name: 'mine', scopes: ['admin:read', 'admin:keys'] });
    const own = await openConsole(service, token);
    await own.submit(`/admin/keys/${key.id}/revoke`, `/admin/keys/${key.id}/revoke`);
    expect(await own.get('/admin/keys')).toMatchObject({ status: 303 });
  });

  it('ask before the last key that may manage keys is disabled or revoked, and say what follows', async () => {
    // There no first key is made.
    const lonely = await startTestService(engine, { NODE_ENV: 'production' });
    try {
      const all = lonely.app.get(ApiKeysService);
      const id = (await all.list())[0]?.id as string;
      const operator = await openConsole(lonely, lonely.key);
      const path = `/admin/keys/${id}`;
      const isLast = async (page: string) => codesIn(await operator.get(page)).includes('last_key');
      expect(await isLast(path)).toBe(true);
      for (const verb of ['disable', 'revoke']) {
        const hidden = hiddenFields((await operator.get(path)).html, `${path}/disable`);
        const asked = await operator.post(`${path}/${verb}`, hidden);
        expect([asked.status, codesIn(asked)]).toEqual([409, expect.arrayContaining(['last_key'])]);
        expect((await all.show(id)).status).toBe('active');
        expect(hiddenFields(asked.html, `${path}/${verb}`)).toMatchObject({ evenLast: 'yes' });
      }
      expect(await isLast(`${path}/revoke`)).toBe(true);
      const other = await all.create({ name: 'other', scopes: ['admin:read', 'admin:keys'] });
      expect([await isLast(path), await isLast(`${path}/revoke`)]).toEqual([false, false]);
      await all.revoke(other.key.id);

      const form = (
        await operator.post(
          `${path}/disable`,
          hiddenFields((await operator.get(path)).html, `${path}/disable`),
        )
      ).html;
      const disabled = await operator.post(`${path}/disable`, hiddenFields(form, `${path}/disable`));
      expect(disabled.status).toBe(303);
      expect((await all.show(id)).status).toBe('disabled');
      await all.enable(id);
      const revoking = await openConsole(lonely, lonely.key);
      await revoking.submit(`${path}/revoke`, `${path}/revoke`);
      expect((await all.show(id)).status).toBe('revoked');
    } finally {
      await lonely.stop();
    }
  });

  it('show no buttons to a person who may only read, and refuse the form', async () => {
    const viewer = await openConsole(service, await service.keyWith('admin:read'));
    const { id } = await make('looked at');
    const list = await viewer.get('/admin/keys');
    const shown = await viewer.get(`/admin/keys/${id}`);
    for (const { html } of [list, shown]) {
      expect(html).not.toMatch(/\/keys\/new|\/rotate|\/disable|\/revoke/);
    }
    const csrf = hiddenFields(shown.html, '/admin/sign-out');
    for (const action of ['rotate', 'disable', 'enable', 'revoke', 'edit', 'rules']) {
      const response = await viewer.post(`/admin/keys/${id}/${action}`, csrf);
      expect([action, response.status]).toEqual([action, 403]);
      expect(response.html).toContain('admin:keys');
    }
    expect((await viewer.post('/admin/keys/new', { ...csrf, name: 'x', scopes: 'pets:read' })).status).toBe(
      403,
    );
    for (const page of ['new', `${id}/rotate`, `${id}/revoke`, `${id}/edit`, `${id}/rules`]) {
      expect((await viewer.get(`/admin/keys/${page}`)).status).toBe(403);
    }
    expect((await keys.show(id)).status).toBe('active');
  });

  it('find keys by text, status and warnings, in any order', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000);
    await keys.create({ name: 'Zebra soon', scopes: ['pets:read'], expiresAt: soon });
    const { id } = await make('zebra gone');
    await keys.revoke(id);
    const rows = async (query: string) => {
      const { html } = await client.get(`/admin/keys?${query}`);
      return [...html.matchAll(/class="row-title"[^>]*><bdi>([^<]*)</g)].map(([, name]) => name);
    };
    expect(await rows('q=ZEBRA')).toEqual(['Zebra soon']);
    expect(await rows('q=zebra&status=all&sort=-name')).toEqual(['Zebra soon', 'zebra gone']);
    expect(await rows('q=zebra&status=revoked')).toEqual(['zebra gone']);
    expect(await rows('q=zebra&attention=expiring')).toEqual(['Zebra soon']);
    expect(await rows('q=zebra&attention=idle')).toEqual([]);
    expect((await client.get('/admin/keys?q=%3Cscript%3E&sort=constructor&status=x')).html).not.toContain(
      '<script>"',
    );
  });

  it('show the date on which a key expires, not hours', async () => {
    const dayFromNow = (days: number) => new Date((Math.floor(Date.now() / 86_400_000) + days) * 86_400_000);
    const expiring = async (days: number) => {
      const { key } = await keys.create({
        name: `dated ${days}`,
        scopes: ['pets:read'],
        expiresAt: dayFromNow(days),
      });
      return calloutIn(await client.get(`/admin/keys/${key.id}`), 'expiring');
    };
    expect(await expiring(1)).toMatch(/\btomorrow\b/);
    expect(await expiring(3)).toMatch(/\b3 days\b/);
    const { html } = await client.get('/admin/keys?q=dated');
    const warnings = [...html.matchAll(/<span class="badge badge-warning">([^<]*)</g)].map(
      ([, text]) => text,
    );
    expect(warnings.sort().join()).toMatch(/\b3 days,.*\btomorrow$/);
  });

  it('show a long list page by page', async () => {
    for (let i = 0; i < 55; i++) await make(`many ${String(i).padStart(2, '0')}`);
    const first = await client.get('/admin/keys?q=many');
    const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&');
    const second = await client.get(next as string);
    expect(second.html).toContain('many 50');
    expect(second.html).toContain('many 54');
    expect(second.html).not.toContain('many 49');
    expect(second.html).not.toContain('rel="next"');
  });

  it('read only the keys they show, like other pages that name keys', async () => {
    const { id } = await make('one of many');
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const pet = `/admin/records/pets/${((await created.json()) as { id: number }).id}`;
    const all = jest.spyOn(service.app.get(ApiKeysRepository), 'list');
    for (const path of [
      '/admin/keys',
      `/admin/keys/${id}`,
      '/admin/audit',
      '/admin/audit/1',
      pet,
      '/admin/overview',
      '/admin/reports',
      '/admin/reports/usage',
      `/admin/reports/usage?key=${id}`,
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    }
    expect(all).not.toHaveBeenCalled();
    all.mockRestore();
  });

  it('say when the list has ended', async () => {
    expect(emptyIn(await client.get('/admin/keys?after=key_none'))).toEqual({
      'Back to the first page': '/admin/keys',
    });
  });

  it('respond with 404 for a missing key', async () => {
    for (const path of ['key_none', 'key_none/revoke', '%3Cscript%3E']) {
      expect((await client.get(`/admin/keys/${path}`)).status).toBe(404);
    }
  });
});
