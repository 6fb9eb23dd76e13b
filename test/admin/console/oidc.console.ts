import { DataSource } from 'typeorm';
import { CHECK_MS, UNCHECKED_MS } from '../../../src/admin/console/sessions/person-sessions.service';
import { AdminSession } from '../../../src/admin/console/sessions/admin-session.entity';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { describeOneEngine } from '../../support/databases/databases';
import { freePort } from '../../support/processes/free-port';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
} from '../../support/service/console';
import { codesIn, faultsIn } from './support/said';
import {
  oidcEnvironment,
  originAt,
  ProviderVisit,
  startProvider,
  startServiceAtProvider,
  type TestProvider,
} from './support/oidc-provider';

const START = '/admin/sign-in/oidc';

describeOneEngine('The sign-in by OIDC', (engine) => {
  let provider: TestProvider;
  let service: TestService;

  beforeAll(async () => {
    ({ provider, service } = await startServiceAtProvider(engine));
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
  });
  beforeEach(() => {
    provider.outage = undefined;
    provider.givesRefreshTokens = true;
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['staff', 'admins'] });
    provider.accounts.set('550e84', { name: 'Ben Okoro', groups: ['support'] });
    provider.accounts.set('77', { name: 'Cy', groups: ['guests'] });
    provider.accounts.set('88', { name: 'Di', groups: [] });
  });

  const sessions = () => service.app.get(DataSource).getRepository(AdminSession);
  const events = (action: string) => service.app.get(AuditLog).list({ action }, { limit: 100 });
  /** As if so much time had passed since the provider was asked last. */
  const age = (milliseconds: number) => {
    const then = new Date(Date.now() - milliseconds);
    return sessions().update(
      { issuer: provider.issuer },
      { checkedAt: then, checkBegunAt: then, createdAt: then },
    );
  };

  /** Signs in with a browser of its own. @returns the last page of the sign-in */
  async function signIn(visitor: string, wanted = ''): Promise<Visit> {
    const client = await openConsole(service);
    const visit = new ProviderVisit(provider);
    provider.visitor = visitor;
    const start = await client.get(`${START}${wanted}`);
    const { pathname, search } = await visit.follow(start.location ?? '');
    return { client, visit, page: await client.get(pathname + search) };
  }

  it('is the first thing the sign-in page offers, above the form for a key', async () => {
    const client = await openConsole(service);
    const { html } = await client.get('/admin/sign-in?return=%2Fadmin%2Fkeys');
    const { host } = new URL(provider.issuer);
    const link = html.indexOf(`/admin/sign-in/oidc?return=%2Fadmin%2Fkeys">Sign in with ${host}</a>`);
    expect(link).toBeGreaterThan(0);
    expect(html.indexOf('action="/admin/sign-in"')).toBeGreaterThan(link);
  });

  it('requests a code with PKCE, state and nonce, which a cookie binds to the browser', async () => {
    const client = await openConsole(service);
    const { status, location = '', raw } = await client.get(START);
    expect(status).toBe(303);
    const { origin, searchParams } = new URL(location);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'petstore-console',
      redirect_uri: `http://127.0.0.1:${service.managementPort}/admin/sign-in/oidc/callback`,
      response_type: 'code',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(raw.headers.get('set-cookie')).toEqual([
      expect.stringMatching(
        /^petstore_sign_in_\d+=\S+; Max-Age=600; Path=\/admin\/sign-in\/oidc; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('leads to the requested page with the scopes of all groups of the person', async () => {
    const { client, page } = await signIn('248289', '?return=%2Fadmin%2Fsessions%3Fa%3D1');
    expect(page).toMatchObject({ status: 200 });
    expect(page.raw.headers.get('refresh')).toEqual(['0; url=/admin/sessions?a=1']);
    expect([...client.cookies.keys()]).toEqual([`petstore_admin_${service.managementPort}`]);
    const { status, html } = await client.get('/admin/sessions');
    expect(status).toBe(200);
    expect(html).toContain('Ana Lima');
    expect(html).toContain('oidc:248289');
    expect((await client.get('/admin/keys/new')).status).toBe(200);
  });

  it('gives a person only the scopes of their groups', async () => {
    const { client } = await signIn('550e84');
    expect((await client.get('/admin/keys')).status).toBe(200);
    expect((await client.get('/admin/keys/new')).status).toBe(403);
  });

  it.each([
    ['only in groups that may not open the console', '77'],
    ['in no group', '88'],
  ])('refuses a person who is %s', async (_, visitor) => {
    const { client, page } = await signIn(visitor);
    expect([page.status, Object.keys(faultsIn(page))]).toEqual([401, ['']]);
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
  });

  it('stores the tokens of the provider encrypted for the browser', async () => {
    await signIn('248289');
    const [session] = await sessions().find({ order: { createdAt: 'DESC' } });
    expect(session).toMatchObject({ issuer: provider.issuer, actor: 'oidc:248289', personName: 'Ana Lima' });
    expect(Buffer.from(session?.sealedTokens ?? '', 'base64url').toString('latin1')).not.toMatch(/token/i);
  });

  it('records the person as actor by subject and name', async () => {
    const { client } = await signIn('248289');
    await client.submit('/admin/keys/new', '/admin/keys/new', { name: 'by Ana', scopes: 'pets:read' });
    const [event] = await events('keys.create');
    expect(event).toMatchObject({ actor: 'oidc:248289', actorName: 'Ana Lima', address: '127.0.0.1' });
    const [begun] = await events('sessions.sign_in');
    expect(begun).toMatchObject({ actor: 'oidc:248289', actorName: 'Ana Lima' });
    const { html } = await client.get('/admin/audit');
    expect(html).toContain('Ana Lima');
  });

  it('removes the rights of a person who has left a group within two minutes', async () => {
    const { client } = await signIn('248289');
    provider.accounts.set('248289', { name: 'Ana Lima-Sá', groups: ['support'] });
    expect((await client.get('/admin/keys/new')).status).toBe(200);
    await age(CHECK_MS);
    expect((await client.get('/admin/keys/new')).status).toBe(403);
    expect((await client.get('/admin/sessions')).html).toContain('Ana Lima-Sá');
    provider.accounts.set('248289', { name: 'Ana Lima', groups: [] });
    await age(CHECK_MS);
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
    const [event] = await events('sessions.end');
    const { page: refused } = await signIn('88');
    expect(JSON.parse(event?.after ?? '')).toEqual({ reason: faultsIn(refused)[''] });
  });

  it('ends the session of a person whom the provider no longer knows', async () => {
    const { client } = await signIn('248289');
    provider.accounts.delete('248289');
    await age(CHECK_MS);
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
  });

  it('ends a session after five minutes when the provider gave no refresh token', async () => {
    provider.givesRefreshTokens = false;
    const { client } = await signIn('248289');
    await age(UNCHECKED_MS - 60_000);
    expect((await client.get('/admin/sessions')).status).toBe(200);
    await age(UNCHECKED_MS);
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
  });

  it('asks the provider once for all requests that come at the same time', async () => {
    const { client } = await signIn('248289');
    for (let round = 0; round < 3; round++) {
      await age(CHECK_MS);
      const before = provider.tokenRequests;
      const responses = await Promise.all(Array.from({ length: 8 }, () => client.get('/admin/sessions')));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(provider.tokenRequests).toBe(before + 1);
    }
  });

  it('keeps existing sessions while the provider is away, and tells others so in one sentence', async () => {
    const { client } = await signIn('248289');
    provider.outage = 503;
    await age(CHECK_MS);
    expect((await client.get('/admin/keys/new')).status).toBe(200);
    const other = await openConsole(service);
    const { location = '' } = await other.get(START);
    provider.outage = undefined;
    provider.visitor = '248289';
    const { pathname, search } = await new ProviderVisit(provider).follow(location);
    provider.outage = 500;
    const page = await other.get(pathname + search);
    expect([page.status, codesIn(page)]).toEqual([503, ['provider_away']]);
    expect(page.html).toContain(new URL(provider.issuer).host);
    provider.outage = undefined;
    expect((await other.get(pathname + search)).status).toBe(200);
  });

  it('ends the session on sign-out, and leads to the page that ends it at the provider', async () => {
    const { client, visit } = await signIn('248289');
    const page = await client.submit('/admin/sessions', '/admin/sign-out');
    expect(page.status).toBe(200);
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
    const [refresh = ''] = page.raw.headers.get('refresh') ?? [];
    const url = new URL(refresh.replace('0; url=', ''));
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(
      `http://127.0.0.1:${service.managementPort}/admin/sign-in`,
    );
    expect((await visit.fetch(url)).status).toBe(200);
  });

  it('ends exactly the sessions that a person ends at the provider', async () => {
    const { client, visit } = await signIn('248289');
    const { client: elsewhere } = await signIn('248289');
    await visit.signOut();
    expect((await client.get('/admin')).location).toBe('/admin/sign-in');
    expect((await elsewhere.get('/admin/sessions')).status).toBe(200);
    const [ended] = await events('sessions.end');
    expect(JSON.parse(ended?.after ?? '')).toEqual({ reason: expect.stringContaining('provider') });
  });

  it('warns when a key can still open the console', async () => {
    const client = await openConsole(service, service.key);
    expect(codesIn(await client.get('/admin/sessions'))).toEqual(['emergency']);
    expect(await events('sessions.sign_in_by_key')).toHaveLength(1);
    expect(service.log()).toMatch(/"level":40.*API key/);
  });

  it('shows a form again that was sent after the end of the session', async () => {
    const { client } = await signIn('248289');
    await sessions().update({ issuer: provider.issuer }, { lastSeenAt: new Date(0) });
    const page = await client.post('/admin/keys/new', { _csrf: 'old', name: 'typed', scopes: 'pets:read' });
    expect(hiddenFields(page.html, '/admin/keys/new')).toMatchObject({ name: 'typed', scopes: 'pets:read' });
    const { client: again } = await signIn('248289');
    const sent = await again.post('/admin/keys/new', { _csrf: '', name: 'typed', scopes: 'pets:read' });
    expect(sent).toMatchObject({ status: 303, location: '/admin/keys/new' });
    expect((await again.get('/admin/keys/new')).html).toContain('value="typed"');
  });
});

describe('The sign-in by OIDC only', () => {
  const settings = async () => {
    const [providerPort, managementPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const environment = oidcEnvironment(originAt(providerPort), managementPort);
    return { providerPort, managementPort, environment };
  };

  it('lets the service start while the provider is away, and works once it is there', async () => {
    const { providerPort, managementPort, environment } = await settings();
    const service = await startTestService('sqlite', { ...environment, CONSOLE_KEY_SIGN_IN: 'false' });
    let provider: TestProvider | undefined;
    try {
      const client = await openConsole(service);
      const away = await client.get(START);
      expect([away.status, codesIn(away)]).toEqual([503, ['provider_away']]);
      provider = await startProvider(managementPort, providerPort);
      expect((await client.get(START)).status).toBe(303);
    } finally {
      await provider?.stop();
      await service.stop();
    }
  });

  it('accepts no key when the settings say so, and offers no form for one', async () => {
    const { environment } = await settings();
    const service = await startTestService('sqlite', { ...environment, CONSOLE_KEY_SIGN_IN: 'false' });
    try {
      const client = await openConsole(service);
      expect((await client.get('/admin/sign-in')).html).not.toContain('action="/admin/sign-in"');
      expect((await client.post('/admin/sign-in', { key: service.key })).status).toBe(403);
      expect(client.cookies.size).toBe(0);
    } finally {
      await service.stop();
    }
  });

  it('stops the start for a scope that no module has', async () => {
    const { environment } = await settings();
    const typo = { ...environment, OIDC_ROLES: 'admins=admin:read,admin:pet' };
    await expect(startTestService('sqlite', typo)).rejects.toThrow(
      /^OIDC_ROLES .*\badmin:pet\b.*\badmin:pets\b/,
    );
  });
});

interface Visit {
  readonly client: ConsoleClient;
  readonly visit: ProviderVisit;
  readonly page: ConsoleResponse;
}
