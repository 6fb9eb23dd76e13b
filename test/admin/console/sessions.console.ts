import { DataSource } from 'typeorm';
import { AdminSession } from '../../../src/admin/console/sessions/admin-session.entity';
import { IDLE_MS, LONGEST_MS } from '../../../src/admin/console/sessions/sessions.service';
import { SessionRetentionJob } from '../../../src/admin/console/sessions/session-retention-job';
import { ApiKey } from '../../../src/auth/api-key.entity';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { createToken } from '../../../src/platform/security/api-key-token';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { hiddenFields, openConsole } from '../../support/service/console';
import { faultsIn, noticeIn } from './support/said';

describeOneEngine('Sessions of the console', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let cookieName: string;
  /** What the console says of an unknown key. */
  let refusal: string;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    cookieName = `petstore_admin_${service.managementPort}`;
    const refused = await (await openConsole(service)).post('/admin/sign-in', { key: createToken() });
    refusal = faultsIn(refused)['key'] ?? 'none';
  });
  afterAll(() => service.stop());

  const sessions = () => service.app.get(DataSource).getRepository(AdminSession);
  const events = (action: string) => service.app.get(AuditLog).list({ action }, { limit: 100 });
  const openWith = async (...scopes: string[]) => {
    const { key, token } = await keys.create({ name: 'operator', scopes });
    return { id: key.id, client: await openConsole(service, token), token };
  };

  it('begin with an API key and lead to the requested page', async () => {
    const client = await openConsole(service);
    const wanted = await client.get('/admin/sessions?a=1');
    expect(wanted).toMatchObject({
      status: 303,
      location: '/admin/sign-in?return=%2Fadmin%2Fsessions%3Fa%3D1',
    });
    const { html, status } = await client.get(wanted.location as string);
    expect(status).toBe(200);
    expect(html).toMatch(/id="field-key"[^>]* autofocus=/);
    const response = await client.post('/admin/sign-in', {
      ...hiddenFields(html, '/admin/sign-in'),
      key: ` ${service.key} `,
    });
    expect(response).toMatchObject({ status: 303, location: '/admin/sessions?a=1' });
    const page = await client.get('/admin/sessions?a=1');
    expect(page.status).toBe(200);
    expect(page.html).toContain('action="/admin/sign-out-everywhere"');
  });

  it.each([
    'https://example.com/',
    '//example.com',
    '/admin\\example.com',
    '/v1/pets',
    '/adminx',
    '/admin/\r\nA: b',
  ])('never lead out of the console: %j', async (path) => {
    const client = await openConsole(service);
    const response = await client.post('/admin/sign-in', { key: service.key, return: path });
    expect(response).toMatchObject({ status: 303, location: '/admin' });
  });

  it('are stored without their token and without the key', async () => {
    const { client, id, token } = await openWith('admin:read');
    const rows = await sessions().find();
    const text = JSON.stringify(rows);
    expect(text).toContain(id);
    expect(text).not.toContain(token);
    expect(text).not.toContain(client.cookies.get(cookieName));
  });

  it.each([
    ['a key that does not exist', () => createToken()],
    ['what is no key', () => 'correct horse battery staple'],
    ['nothing', () => ''],
    ['a key without admin:read', () => service.keyWith('admin:keys', 'pets:read')],
    ['a revoked key', () => ended('revoke')],
    ['a disabled key', () => ended('disable')],
  ])('do not begin with %s, which is refused like any other fault', async (_what, makeKey) => {
    const client = await openConsole(service);
    const response = await client.post('/admin/sign-in', { key: await makeKey() });
    expect(response.status).toBe(401);
    expect(faultsIn(response)).toEqual({ key: refusal });
    expect(client.cookies.size).toBe(0);
    // Within the limit of failed sign-ins of a minute.
    await (await openConsole(service)).signIn(service.key);
  });

  async function ended(how: 'revoke' | 'disable'): Promise<string> {
    const { key, token } = await keys.create({ name: 'ended', scopes: ['admin:read'] });
    await keys[how](key.id);
    return token;
  }

  it.each(['revoke', 'disable'] as const)('end as soon as their key does: %s', async (how) => {
    const { client, id } = await openWith('admin:read');
    expect((await client.get('/admin/sessions')).status).toBe(200);
    await keys[how](id);
    expect(await client.get('/admin/sessions')).toMatchObject({ status: 303 });
    expect(await client.get('/admin/sessions', { 'HX-Request': 'true' })).toMatchObject({ status: 401 });
  });

  it('end when their key expires', async () => {
    const { client, id } = await openWith('admin:read');
    expect((await client.get('/admin/sessions')).status).toBe(200);
    await service.app.get(DataSource).getRepository(ApiKey).update({ id }, { expiresAt: new Date() });
    expect(await client.get('/admin/sessions')).toMatchObject({ status: 303 });
  });

  it.each([
    ['they were not used for half an hour', { lastSeenAt: new Date(Date.now() - IDLE_MS - 1_000) }],
    ['they are twelve hours old', { createdAt: new Date(Date.now() - LONGEST_MS - 1_000) }],
  ])('end when %s', async (_when, change) => {
    const { client, id } = await openWith('admin:read');
    await sessions().update({ actor: id }, change);
    expect(await client.get('/admin/sessions')).toMatchObject({ status: 303 });
  });

  it('continue while they are used, with at most one write a minute', async () => {
    const { client, id } = await openWith('admin:read');
    const seen = async () => (await sessions().findOneByOrFail({ actor: id })).lastSeenAt;
    const first = await seen();
    await client.get('/admin/sessions');
    expect(await seen()).toEqual(first);
    const earlier = new Date(Date.now() - 20 * 60_000);
    await sessions().update({ actor: id }, { lastSeenAt: earlier });
    await client.get('/admin/sessions');
    expect((await seen()).getTime()).toBeGreaterThanOrEqual(first.getTime());
  });

  it('get a new token at each sign-in, which ends the former session', async () => {
    const { client, token } = await openWith('admin:read');
    const before = client.cookies.get(cookieName) as string;
    await client.signIn(token);
    const after = client.cookies.get(cookieName) as string;
    expect(after).not.toBe(before);
    client.cookies.set(cookieName, before);
    expect(await client.get('/admin/sessions')).toMatchObject({ status: 303 });
  });

  it('end for this browser only on sign-out', async () => {
    const { client, token } = await openWith('admin:read');
    const other = await openConsole(service, token);
    const cookie = client.cookies.get(cookieName) as string;
    const response = await client.submit('/admin/sessions', '/admin/sign-out');
    expect(response).toMatchObject({ status: 303, location: '/admin/sign-in' });
    expect(client.cookies.size).toBe(0);
    client.cookies.set(cookieName, cookie);
    expect(await client.get('/admin/sessions')).toMatchObject({ status: 303 });
    expect(await other.get('/admin/sessions')).toMatchObject({ status: 200 });
  });

  it('end everywhere at once, including those of predecessors and successors of the key', async () => {
    const { client, id } = await openWith('admin:read');
    const { token: successor } = await keys.rotate(id, 3_600_000);
    const other = await openConsole(service, successor);
    const stranger = await openWith('admin:read');
    await client.submit('/admin/sessions', '/admin/sign-out-everywhere');
    for (const one of [client, other])
      expect(await one.get('/admin/sessions')).toMatchObject({ status: 303 });
    expect(await stranger.client.get('/admin/sessions')).toMatchObject({ status: 200 });
  });

  it('are listed by browser and system, and can each be ended by their own person only', async () => {
    const { client, token } = await openWith('admin:read');
    const other = await openConsole(service);
    other.headers = {
      'User-Agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    };
    await other.signIn(token);
    const { html } = await client.get('/admin/sessions');
    expect(html).toContain('>Chrome 156 on Linux</span>');
    const [path = ''] = /\/admin\/sessions\/ses_[0-9a-f]{16}\/end/.exec(html) ?? [];
    const stranger = await openWith('admin:read');
    const own = hiddenFields((await stranger.client.get('/admin/sessions')).html, '/admin/sign-out');
    expect((await stranger.client.post(path, own)).status).toBe(404);
    expect(await other.get('/admin/sessions')).toMatchObject({ status: 200 });
    expect(await client.submit('/admin/sessions', path)).toMatchObject({ location: '/admin/sessions' });
    expect(noticeIn(await client.get('/admin/sessions'))).toMatchObject({
      tone: 'success',
      text: expect.stringContaining('Chrome 156 on Linux'),
    });
    expect(await other.get('/admin/sessions')).toMatchObject({ status: 303 });
    expect((await client.post(path, hiddenFields(html, '/admin/sign-out'))).status).toBe(404);
  });

  it('show times in UTC until a time zone is chosen, and then UTC on hover', async () => {
    const client = await openConsole(service, service.key);
    const shown = async () => {
      const { html } = await client.get('/admin/sessions');
      return [
        /<a class="zone"[\s\S]*?<\/svg>([^<]*)</.exec(html)?.[1],
        / title="([^"]*)">just now/.exec(html)?.[1],
      ];
    };
    expect(await shown()).toEqual(['UTC', expect.stringMatching(/^\d+ \w{3} \d{4}, [\d:]{8} UTC$/)]);
    const choose = (zone: string) =>
      client.submit('/admin/time-zone?return=/admin/keys', '/admin/time-zone', { zone });
    expect((await choose('Asia/Kolkata')).location).toBe('/admin/keys');
    expect(await shown()).toEqual([
      expect.stringMatching(/^(Kolkata|Calcutta)$/),
      expect.stringMatching(/^\d+ \w{3} \d{4}, [\d:]{8} GMT\+5:30 \(.* UTC\)$/),
    ]);
    await choose('Mars/Olympus_Mons');
    expect((await shown())[0]).toBe('UTC');
  });

  it('are in the audit log with person, address and browser', async () => {
    const { client, id } = await openWith('admin:read');
    await client.submit('/admin/sessions', '/admin/sign-out');
    const [signIn] = (await events('sessions.sign_in')).filter(({ actor }) => actor === id);
    expect(signIn).toMatchObject({ address: '127.0.0.1', subjectType: 'sessions' });
    expect(signIn?.subjectId).toMatch(/^ses_[0-9a-f]{16}$/);
    expect(JSON.parse(signIn?.after as string)).toMatchObject({ keyId: id, address: '127.0.0.1' });
    const [signOut] = (await events('sessions.sign_out')).filter(({ actor }) => actor === id);
    expect(signOut).toMatchObject({ subjectId: signIn?.subjectId });
    expect(signOut?.requestId).not.toBeNull();
  });

  it('are deleted after their end', async () => {
    const { id } = await openWith('admin:read');
    const { id: kept } = await openWith('admin:read');
    await sessions().update({ actor: id }, { lastSeenAt: new Date(Date.now() - IDLE_MS - 1_000) });
    await service.app.get(SessionRetentionJob).run();
    expect(await sessions().countBy({ actor: id })).toBe(0);
    expect(await sessions().countBy({ actor: kept })).toBe(1);
  });

  it('leave no key and no token in the log and the audit log', async () => {
    const wrong = createToken();
    const { client, token } = await openWith('admin:read');
    await (await openConsole(service)).post('/admin/sign-in', { key: wrong });
    await (await openConsole(service)).post('/admin/sign-in', { key: 'a password' });
    const all = await service.app.get(AuditLog).list({}, { limit: 1_000 });
    const written = service.log() + all.map((event) => Object.values(event).join(' ')).join('\n');
    for (const secret of [wrong, token, 'a password', client.cookies.get(cookieName) as string]) {
      expect(written).not.toContain(secret);
    }
    const refusals = await events('sessions.sign_in_refused');
    expect(refusals[0]).toMatchObject({ actor: 'unknown', after: '{"reason":"unknown"}' });
  });
});
