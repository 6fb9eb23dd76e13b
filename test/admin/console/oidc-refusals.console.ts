import { DataSource } from 'typeorm';
import { SignInRefusedError } from '../../../src/admin/console/sessions/identity-provider.errors';
import { AdminSession } from '../../../src/admin/console/sessions/admin-session.entity';
import { freePort } from '../../support/processes/free-port';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, type ConsoleResponse, openConsole } from '../../support/service/console';
import { claims, type Forge, FORGERIES, ForgingProvider, now, sign } from './support/forging-provider';
import { beginSignIn, CALLBACK, expectRefused, type RefusalKind, refusalsOf } from './support/forged-sign-in';
import { CLIENT, oidcEnvironment } from './support/oidc-provider';
import { faultsIn } from './support/said';

let provider: ForgingProvider;
let service: TestService;
let refusals: Readonly<Record<RefusalKind, string>>;

beforeAll(async () => {
  const managementPort = await freePort('127.0.0.1');
  provider = await ForgingProvider.start();
  service = await startTestService('sqlite', {
    ...oidcEnvironment(provider.issuer, managementPort),
    // Each attempt comes from an address of its own, so that the limit of failed sign-ins is not met.
    TRUST_PROXY: 'loopback',
  });
  refusals = await refusalsOf(service, provider);
  expect(new Set(Object.values(refusals)).size).toBe(5);
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() => {
  provider.userinfo = { sub: '248289', groups: ['admins'] };
});

const begin = (wanted?: string) => beginSignIn(service, provider, wanted);

describe('An ID token', () => {
  async function signInWith(forge: Forge) {
    const { client, response, nonce } = await begin();
    provider.give(await sign(forge(provider.idToken(nonce), provider)));
    return { client, page: await client.get(`${CALLBACK}?${response.toString()}`) };
  }

  it('signs its person in when it is valid', async () => {
    const { page, client } = await signInWith((token) => token);
    expect(page.status).toBe(200);
    expect((await client.get('/admin/sessions')).html).toContain('Ana Lima');
  });

  it('signs its person in when the provider has begun to use its key just now', async () => {
    await signInWith((token) => token);
    await provider.rotateKey();
    expect((await signInWith((token) => token)).page.status).toBe(200);
  });

  it.each<readonly [string, Forge]>([
    ...FORGERIES,
    ['for several clients, of which none is its own', claims({ aud: [CLIENT.id, 'another client'] })],
    ['for another client to use', claims({ aud: [CLIENT.id, 'another client'], azp: 'another client' })],
    ['for itself alone, and for another client to use', claims({ azp: 'another client' })],
    ['with another nonce', claims({ nonce: 'another' })],
    ['without a nonce', claims({ nonce: undefined })],
    ['without a time', claims({ iat: undefined })],
    ['without a subject', claims({ sub: undefined })],
    ['whose subject is a number', claims({ sub: 248_289 })],
    ['that is a logout token', () => provider.logoutToken()],
  ])('is refused: %s', async (_, forge) => {
    const { client, page } = await signInWith(forge);
    await expectRefused(client, page, refusals.unverified);
  });

  it.each([
    ['a name', 'admins'],
    ['an object', { admins: true }],
    ['a list of numbers', [1, 2]],
    ['a list of lists', [['admins']]],
    ['true', true],
  ])('is refused when its groups are %s', async (_, groups) => {
    const { client, page } = await signInWith(claims({ groups }));
    await expectRefused(client, page, refusals['unreadable groups']);
  });

  it.each([
    ['none', []],
    ['ten thousand others', Array.from({ length: 10_000 }, (_, i) => `group ${i}`)],
    ['named alike', ['Admins', ' admins', 'admins ', 'admins=admin:read', 'admin:read']],
  ])('is refused when its groups are %s', async (_, groups) => {
    const { client, page } = await signInWith(claims({ groups }));
    await expectRefused(client, page, refusals['no group']);
  });

  it('is refused when its subject could be mistaken for another in the audit log', async () => {
    const { client, page } = await signInWith(claims({ sub: '248289 (Ana)' }));
    await expectRefused(client, page, new SignInRefusedError().message);
  });

  it('is not completed by the userinfo of another person', async () => {
    provider.userinfo = { sub: 'another', groups: ['admins'] };
    const { client, page } = await signInWith(claims({ groups: undefined }));
    await expectRefused(client, page, refusals.unverified);
  });

  it.each([
    ['nothing', undefined],
    ['no token', 'not a token'],
    ['an empty one', ''],
  ])('is refused when the provider sends %s in its place', async (_, token) => {
    const { client, response } = await begin();
    provider.give(token);
    await expectRefused(client, await client.get(`${CALLBACK}?${response.toString()}`), refusals.unverified);
  });

  it('is refused when its claims were changed after it was signed', async () => {
    const { client, response, nonce } = await begin();
    const [head, , signature] = (await sign(claims({ groups: [] })(provider.idToken(nonce)))).split('.');
    const [, body] = (await sign(provider.idToken(nonce))).split('.');
    provider.give([head, body, signature].join('.'));
    await expectRefused(client, await client.get(`${CALLBACK}?${response.toString()}`), refusals.unverified);
  });
});

describe('A response of the provider', () => {
  /** Signs in with the response changed. */
  async function respondWith(change: (response: URLSearchParams) => void) {
    const { client, response, nonce } = await begin();
    provider.give(await sign(provider.idToken(nonce)));
    change(response);
    return { client, page: await client.get(`${CALLBACK}?${response.toString()}`) };
  }

  it.each<[string, (response: URLSearchParams) => void, RefusalKind]>([
    ['without a state', (response) => response.delete('state'), 'foreign'],
    ['with another state', (response) => response.set('state', 'a'.repeat(43)), 'foreign'],
    ['with two states', (response) => response.append('state', 'another'), 'unverified'],
    ['without a code', (response) => response.delete('code'), 'unverified'],
    ['with two codes', (response) => response.append('code', 'another'), 'unverified'],
    ['of another issuer', (response) => response.set('iss', 'https://login.example.com'), 'unverified'],
    ['of no issuer, where the provider names itself', (response) => response.delete('iss'), 'unverified'],
    ['that brings an ID token itself', (response) => response.set('id_token', 'e30.e30.'), 'unverified'],
    [
      'that is an error',
      (response) => {
        response.delete('code');
        response.set('error', 'access_denied');
        response.set('error_description', '<b>Call 555</b>');
      },
      'not completed',
    ],
  ])('is refused: %s', async (_, change, kind) => {
    const { client, page } = await respondWith(change);
    await expectRefused(client, page, refusals[kind]);
    expect(page.html).not.toContain('Call 555');
  });

  it('is refused when another browser has begun the sign-in', async () => {
    const attacker = await begin();
    provider.give(await sign(provider.idToken(attacker.nonce)));
    const { client } = await begin();
    const page = await client.get(`${CALLBACK}?${attacker.response.toString()}`);
    await expectRefused(client, page, refusals.foreign);
    const bare = await openConsole(service);
    await expectRefused(
      bare,
      await bare.get(`${CALLBACK}?${attacker.response.toString()}`),
      refusals.foreign,
    );
  });

  it('signs its person in once, even when the cookie and the code are used again', async () => {
    const { client, response, nonce } = await begin();
    provider.give(await sign(provider.idToken(nonce)));
    const cookies = [...client.cookies];
    expect((await client.get(`${CALLBACK}?${response.toString()}`)).status).toBe(200);
    const page = await client.get(`${CALLBACK}?${response.toString()}`);
    expect([page.status, faultsIn(page)]).toEqual([401, { '': refusals.foreign }]);
    client.cookies.clear();
    for (const [name, value] of cookies) client.cookies.set(name, value);
    await expectRefused(
      client,
      await client.get(`${CALLBACK}?${response.toString()}`),
      expect.not.stringContaining(refusals.foreign),
    );
  });

  it.each([
    ['refuses the code, as one of another verifier', 400, '{"error":"invalid_grant"}'],
    ['does not know the console', 401, '{"error":"invalid_client"}'],
    ['sends no JSON', 200, 'tokens'],
    ['sends no object', 200, '[]'],
  ])('is refused when the provider %s', async (_, status, body) => {
    const { client, response } = await begin();
    provider.tokens = { status, body };
    await expectRefused(client, await client.get(`${CALLBACK}?${response.toString()}`), refusals.unverified);
  });

  it.each(['https://example.com/', '//example.com', '/admin\\example.com', '/admin/\r\nA: b', '/adminx'])(
    'never leads out of the console: %j',
    async (path) => {
      const { client, response, nonce } = await begin(`?return=${encodeURIComponent(path)}`);
      provider.give(await sign(provider.idToken(nonce)));
      const { raw } = await client.get(`${CALLBACK}?${response.toString()}`);
      expect(raw.headers.get('refresh')).toEqual(['0; url=/admin']);
    },
  );
});

describe('A logout token', () => {
  let client: ConsoleClient;
  let senders = 0;

  beforeEach(async () => {
    const begun = await begin();
    provider.give(await sign(provider.idToken(begun.nonce)));
    await begun.client.get(`${CALLBACK}?${begun.response.toString()}`);
    ({ client } = begun);
  });

  /** As the provider sends it, which is no browser; each from an address of its own, for the limit. */
  async function send(token: string | undefined): Promise<ConsoleResponse> {
    const sender = await openConsole(service);
    sender.saysOrigin = false;
    sender.headers = { 'X-Forwarded-For': `198.51.100.${(senders += 1)}` };
    return sender.post('/admin/back-channel-logout', token === undefined ? {} : { logout_token: token });
  }
  const isSignedIn = async () => (await client.get('/admin/sessions')).status === 200;

  it('ends the session once when it is valid', async () => {
    const token = await sign(provider.logoutToken());
    const { status, raw } = await send(token);
    expect([status, raw.headers.get('cache-control')]).toEqual([200, ['no-store']]);
    expect(await isSignedIn()).toBe(false);
  });

  it('ends the session when the provider has begun to use its key just now', async () => {
    await provider.rotateKey();
    expect((await send(await sign(provider.logoutToken()))).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    ['of the session at the provider alone', { sub: undefined }],
    ['of the person alone', { sid: undefined }],
  ])('ends the session when it speaks %s', async (_, change) => {
    expect((await send(await sign(claims(change)(provider.logoutToken())))).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    ['another session of the person', { sid: 'another' }],
    ['another person', { sub: 'another', sid: undefined }],
  ])('ends no session for %s', async (_, change) => {
    expect((await send(await sign(claims(change)(provider.logoutToken())))).status).toBe(200);
    expect(await isSignedIn()).toBe(true);
  });

  it('also ends sessions of the person without a session id of the provider', async () => {
    const sessions = service.app.get(DataSource).getRepository(AdminSession);
    await sessions.update({ actor: 'oidc:248289' }, { providerSession: null });
    expect((await send(await sign(provider.logoutToken()))).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
  });

  it.each<readonly [string, Forge]>([
    ...FORGERIES,
    ['that is an ID token', () => provider.idToken('nonce')],
    ['that is an ID token of logout', (token) => claims({ nonce: 'nonce' })(token)],
    ['without events', claims({ events: undefined })],
    ['with other events', claims({ events: { 'http://schemas.openid.net/event/other': {} } })],
    ['whose events are a text', claims({ events: 'http://schemas.openid.net/event/backchannel-logout' })],
    ['without a person and a session', claims({ sub: undefined, sid: undefined })],
    ['without a name of its own', claims({ jti: undefined })],
    ['without a time', claims({ iat: undefined })],
    ['that is old', claims({ iat: now() - 3_600 })],
  ])('ends no session when it is not valid: %s', async (_, forge) => {
    const { status, html } = await send(await sign(forge(provider.logoutToken(), provider)));
    expect([status, JSON.parse(html)]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(await isSignedIn()).toBe(true);
  });

  it('ends no later session when it is used again', async () => {
    const token = await sign(claims({ sid: undefined })(provider.logoutToken()));
    expect((await send(token)).status).toBe(200);
    const begun = await begin();
    provider.give(await sign(provider.idToken(begun.nonce)));
    await begun.client.get(`${CALLBACK}?${begun.response.toString()}`);
    expect((await send(token)).status).toBe(400);
    expect((await begun.client.get('/admin/sessions')).status).toBe(200);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no token', 'a.b.c'],
  ])('ends no session when it is %s', async (_, token) => {
    expect((await send(token)).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });
});
