import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { KeyUpdates } from '../../../src/auth/key-updates.service';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, hiddenFields, openConsole } from '../../support/service/console';
import { codesIn, factsIn, faultsIn, noticeIn } from './support/said';

const TOKEN = /petk_[0-9A-Za-z]{49}/;

describeOneEngine('The pages that change API keys', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    client = await openConsole(service, service.key);
  });
  afterAll(() => service.stop());

  const named = async (name: string) => (await keys.list()).filter((key) => key.name === name);

  it('say why a revoked key is not disabled', async () => {
    const { id } = (await keys.create({ name: 'over', scopes: ['pets:read'] })).key;
    const csrf = hiddenFields((await client.get(`/admin/keys/${id}`)).html, `/admin/keys/${id}/disable`);
    await keys.revoke(id);
    const refused = await client.post(`/admin/keys/${id}/disable`, csrf);
    expect([refused.status, codesIn(refused)]).toEqual([409, ['api_key_refused']]);
  });

  it('give a key networks and limits, and show what is left of them', async () => {
    const fields = {
      name: 'till',
      scopes: 'pets:read',
      networks: '127.0.0.0/8\r\n2001:DB8::/32',
      quotaPerMonth: '3',
    };
    const [token = ''] =
      TOKEN.exec((await client.submit('/admin/keys/new', '/admin/keys/new', fields)).html) ?? [];
    const [key] = await named('till');
    expect(key).toMatchObject({ networks: ['127.0.0.0/8', '2001:db8::/32'], quotaPerMonth: 3 });
    await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } });
    const path = `/admin/keys/${key?.id}`;
    const shown = async () => factsIn(await client.get(path));
    expect(await shown()).toMatchObject({
      'Used from': '127.0.0.0/8 2001:db8::/32',
      'This minute': expect.not.stringMatching(/\d/),
      'This month': expect.stringMatching(/^2 of 3 /),
    });

    const form = await client.get(`${path}/rules`);
    expect(form.html).toMatch(/127\.0\.0\.0\/8\n2001:db8::\/32<\/textarea>/);
    const wrong = await client.submit(`${path}/rules`, `${path}/rules`, {
      networks: 'office',
      quotaPerMonth: '9',
    });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="field-networks-error"');
    expect(wrong.html).toContain('value="9"');
    const changed = await client.submit(`${path}/rules`, `${path}/rules`, {
      limitPerMinute: '20',
      quotaPerMonth: '0',
    });
    expect(Object.keys(faultsIn(changed))).toEqual(['quotaPerMonth']);
    expect(await client.submit(`${path}/rules`, `${path}/rules`, { limitPerMinute: '20' })).toMatchObject({
      status: 303,
      location: path,
    });
    expect(await shown()).toMatchObject({
      'Used from': expect.not.stringMatching(/\d/),
      'This minute': expect.stringMatching(/^20 of 20 /),
      'This month': expect.not.stringMatching(/\d/),
    });
    const [event] = await service.app.get(AuditLog).list({ action: 'keys.update' }, { limit: 1 });
    expect(event).toMatchObject({ subjectId: key?.id, actor: expect.stringMatching(/^key_/) });
    expect(JSON.parse(event?.before as string)).toMatchObject({ quotaPerMonth: 3, limitPerMinute: null });
    expect(JSON.parse(event?.after as string)).toMatchObject({ quotaPerMonth: null, limitPerMinute: 20 });
  });

  it('change name, owner, scopes and end by the rules of new keys, with an audit event', async () => {
    const { key, token } = await keys.create({ name: 'stall', scopes: ['pets:read'], owner: 'ops' });
    const path = `/admin/keys/${key.id}`;
    const edit = `${path}/edit`;
    const typed = { name: ' market ', owner: '', scopes: ['pets:write', 'pets:read'], expiresIn: '90' };
    const wrong = await client.submit(edit, edit, { ...typed, name: ' ', scopes: 'pets:fly' });
    expect([wrong.status, Object.keys(faultsIn(wrong))]).toEqual([422, ['name']]);
    const late = { ...typed, expiresIn: '', expiresAt: '2020-01-31' };
    for (const expiresAt of ['2020-01-31', 'soon']) {
      const refused = await client.submit(edit, edit, { ...late, expiresAt });
      expect([refused.status, Object.keys(faultsIn(refused))]).toEqual([422, ['expiresAt']]);
    }
    expect(await client.submit(edit, edit, typed)).toMatchObject({ status: 303, location: path });
    expect(noticeIn(await client.get(path))).toMatchObject({
      tone: 'success',
      text: expect.stringContaining('market'),
    });
    const days = Math.round(
      (Date.parse((await keys.show(key.id)).expiresAt ?? '') - Date.now()) / 86_400_000,
    );
    expect([await keys.show(key.id), days]).toMatchObject([
      { name: 'market', owner: null, scopes: ['pets:read', 'pets:write'] },
      90,
    ]);
    const created = await service.post(
      '/v1/pets',
      { name: 'Rex', categoryId: 1 },
      { authorization: `Bearer ${token}` },
    );
    expect(created.status).toBe(201);
    // What the form leaves as it is, it leaves to the millisecond; the same once more changes nothing.
    const { html } = await client.get(edit);
    expect(html).toMatch(/<option value="keep"\s+selected>[^<]*\d{4}-\d\d-\d\d</);
    const same = { name: 'market', owner: '', scopes: typed.scopes, expiresIn: 'keep' };
    expect((await client.submit(edit, edit, same)).status).toBe(303);
    const events = await service.app
      .get(AuditLog)
      .list({ subjectType: 'keys', subjectId: key.id }, { limit: 9 });
    expect(events.map(({ action }) => action)).toEqual(['keys.update', 'keys.create']);
    expect(JSON.parse(events[0]?.before as string)).toMatchObject({ name: 'stall', owner: 'ops' });
    await keys.revoke(key.id);
    const refused = await client.submit(edit, edit, same);
    expect([refused.status, Object.keys(faultsIn(refused))]).toEqual([409, ['']]);
  });

  it("are refused outside the networks of the operator's key", async () => {
    const scopes = ['admin:read', 'admin:keys'];
    const { key, token } = await keys.create({ name: 'at home', scopes, networks: ['127.0.0.0/8'] });
    const home = await openConsole(service, token);
    expect((await home.get('/admin/keys')).status).toBe(200);
    await service.app.get(KeyUpdates).change(key.id, { networks: ['192.0.2.0/24'] });
    expect(await home.get('/admin/keys')).toMatchObject({ status: 303 });
    await expect(openConsole(service, token)).rejects.toThrow('401');
  });
});
