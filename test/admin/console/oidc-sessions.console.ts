import { DataSource } from 'typeorm';
import { AdminSession } from '../../../src/admin/console/sessions/admin-session.entity';
import {
  AWAY_MS,
  CHECK_MS,
  PersonSessions,
} from '../../../src/admin/console/sessions/person-sessions.service';
import { FAILED_SIGN_INS_PER_MINUTE } from '../../../src/admin/console/sessions/sign-in-limit';
import { ReadOnlyService } from '../../../src/admin/read-only/read-only.service';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { ReadOnlyMode } from '../../../src/platform/read-only/read-only-mode';
import { freePort } from '../../support/processes/free-port';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { type ConsoleClient, type ConsoleResponse, openConsole } from '../../support/service/console';
import { beginSignIn } from './support/forged-sign-in';
import { claims, type Forge, ForgingProvider, sign } from './support/forging-provider';
import { oidcEnvironment } from './support/oidc-provider';

const CALLBACK = '/admin/sign-in/oidc/callback';
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

let provider: ForgingProvider;
let service: TestService;

beforeAll(async () => {
  provider = await ForgingProvider.start();
  service = await startTestService('sqlite', {
    ...oidcEnvironment(provider.issuer, await freePort('127.0.0.1')),
    // Each sender and each browser comes from an address of its own.
    TRUST_PROXY: 'loopback',
  });
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});

async function signIn(change: object = {}): Promise<ConsoleClient> {
  const { client, response, nonce } = await beginSignIn(service, provider);
  const token = claims(change)(provider.idToken(nonce));
  provider.give(await sign(token), { refresh_token: 'refresh' });
  expect((await client.get(`${CALLBACK}?${response.toString()}`)).status).toBe(200);
  return client;
}

const isSignedIn = async (client: ConsoleClient) => (await client.get('/admin/sessions')).status === 200;

describe('A session of the console that is refreshed at the provider', () => {
  const age = (change: Partial<AdminSession>) =>
    service.app.get(DataSource).getRepository(AdminSession).update({ issuer: provider.issuer }, change);

  /** As if the last response of the provider were so long ago. */
  async function askAgain(client: ConsoleClient, ms = CHECK_MS): Promise<boolean> {
    const then = new Date(Date.now() - ms);
    await age({ checkedAt: then, checkBegunAt: then });
    return isSignedIn(client);
  }

  it.each([
    ['an outage', 503, ''],
    ['a fault of its own', 500, HTML],
    ['that it has too much to do', 429, '{"error":"temporarily_unavailable"}'],
  ])(
    'continues when the provider responds with %s, without asking for every request',
    async (_, status, body) => {
      const client = await signIn();
      provider.tokens = { status, body };
      expect(await askAgain(client)).toBe(true);
      provider.tokens = { status: 400, body: '{"error":"invalid_grant"}' };
      expect(await isSignedIn(client)).toBe(true);
    },
  );

  it('ends when the provider has been away for an hour', async () => {
    const client = await signIn();
    provider.tokens = { status: 503, body: '' };
    expect(await askAgain(client, AWAY_MS - 60_000)).toBe(true);
    expect(await askAgain(client, AWAY_MS)).toBe(false);
    provider.give(undefined);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('ends an hour after the last response, also between two questions', async () => {
    const client = await signIn();
    provider.tokens = { status: 503, body: '' };
    expect(await askAgain(client)).toBe(true);
    await age({ checkedAt: new Date(Date.now() - AWAY_MS) });
    expect(await isSignedIn(client)).toBe(false);
  });

  it.each<readonly [number, string]>([
    ...[
      'invalid_grant',
      'invalid_client',
      'unauthorized_client',
      'access_denied',
      'interaction_required',
      'login_required',
      'consent_required',
      'invalid_request',
      'invalid_scope',
      'unsupported_grant_type',
    ].flatMap((error) => [400, 401, 403].map((status) => [status, JSON.stringify({ error })] as const)),
    [200, HTML],
    [400, HTML],
    [403, HTML],
    [404, HTML],
    [200, ''],
    [404, '{"message":"no Route matched"}'],
    [200, '{"access_token":"a","token_type":"Bearer","id_token":"a.b.c"}'],
  ])('ends when the token endpoint responds with status %i and %s', async (status, body) => {
    const client = await signIn();
    provider.tokens = { status, body };
    expect(await askAgain(client)).toBe(false);
  });

  it.each(['/userinfo', '/jwks'])(
    'keeps the new refresh token when the next question, to %s, has no answer',
    async (path) => {
      const client = await signIn();
      provider.userinfo = { sub: '248289', groups: ['admins'] };
      await provider.rotateKey();
      const token = claims({ nonce: undefined, name: undefined })(provider.idToken(''));
      provider.give(await sign(token), { refresh_token: 'second' });
      provider.outages.add(path);
      expect(await askAgain(client)).toBe(true);
      provider.outages.clear();
      expect(await askAgain(client)).toBe(true);
      expect(provider.refreshed.slice(-2)).toEqual(['refresh', 'second']);
    },
  );

  it('ends when the provider names another person', async () => {
    const client = await signIn();
    const { claims: right, ...token } = provider.idToken('');
    const { nonce: _, ...rest } = right;
    provider.give(await sign({ ...token, claims: { ...rest, sub: 'another' } }));
    expect(await askAgain(client)).toBe(false);
  });
});

describe('The session of a person', () => {
  const sessions = () => service.app.get(DataSource).getRepository(AdminSession);
  const newest = () => sessions().findOneOrFail({ where: {}, order: { createdAt: 'DESC' } });

  it('has the subject for the name when the provider gives none that can be shown', async () => {
    provider.userinfo = { sub: '248289', groups: ['admins'] };
    await signIn({ name: ' \u202e ' });
    expect(await newest()).toMatchObject({ personName: '248289' });
  });

  it('is over for a request that waits for the answer of the provider, once it has ended', async () => {
    const client = await signIn();
    const session = await newest();
    const [token] = [...client.cookies.values()] as [string];
    const people = service.app.get(PersonSessions, { strict: false });
    expect(await people.current(session, token)).toBe(session);
    await sessions().delete({ id: session.id });
    const checkedAt = new Date(Date.now() - CHECK_MS);
    expect(await people.current({ ...session, checkedAt }, token)).toBeUndefined();
  });
});

describe('A logout token of the provider', () => {
  async function send(token: string, address: string): Promise<ConsoleResponse> {
    const sender = await openConsole(service);
    sender.saysOrigin = false;
    sender.headers = { 'X-Forwarded-For': address };
    return sender.post('/admin/back-channel-logout', { logout_token: token });
  }

  it.each<[string, object]>([
    ['whose subject is a list', { sub: ['248289'] }],
    ['whose subject is a number', { sub: 248_289 }],
    ['whose subject is empty', { sub: '' }],
    ['whose session is a list', { sid: ['their session'] }],
    ['whose session is empty', { sid: '' }],
    ['whose name is a number', { jti: 7 }],
    ['whose name is empty', { jti: '' }],
  ])('is refused with 400 and ends no session: %s', async (_, change) => {
    const client = await signIn();
    const forge: Forge = claims(change);
    const { status, html } = await send(await sign(forge(provider.logoutToken(), provider)), '198.51.100.1');
    expect([status, JSON.parse(html)]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(await isSignedIn(client)).toBe(true);
  });

  it('is refused with 429 after too many invalid ones from an address, while valid ones are accepted', async () => {
    const client = await signIn();
    const logged = () => service.log().split('A logout token was refused.').length - 1;
    const before = logged();
    const statuses = [];
    for (let i = 0; i < FAILED_SIGN_INS_PER_MINUTE + 3; i++) {
      statuses.push((await send('a.b.c', '198.51.100.2')).status);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: FAILED_SIGN_INS_PER_MINUTE }, () => 400),
      429,
      429,
      429,
    ]);
    expect(logged() - before).toBe(FAILED_SIGN_INS_PER_MINUTE);
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line.includes('A logout token was refused.'));
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({
      reason: expect.any(String),
      address: '198.51.100.2',
    });
    expect(lines.filter((line) => line.includes('"err"') || line.includes('stack'))).toEqual([]);
    expect((await send('a.b.c', '198.51.100.3')).status).toBe(400);
    expect((await send(await sign(provider.logoutToken()), '198.51.100.2')).status).toBe(200);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('ends the session in read-only mode, too', async () => {
    const client = await signIn();
    const [mode, switches] = [
      service.app.get(ReadOnlyMode),
      service.app.get(ReadOnlyService, { strict: false }),
    ];
    await switches.switchOn('a drill');
    await until(() => mode.isOn);
    expect((await send(await sign(provider.logoutToken()), '198.51.100.4')).status).toBe(200);
    expect(await isSignedIn(client)).toBe(false);
    await switches.switchOff();
    await until(() => !mode.isOn);
  });
});

describe('A sign-out', () => {
  beforeEach(() => {
    provider.revoked.length = 0;
    provider.revocationStatus = 200;
  });

  it.each(['/admin/sign-out', '/admin/sign-out-everywhere'])(
    'revokes the refresh token at the provider: %s',
    async (path) => {
      const client = await signIn();
      const { status } = await client.submit('/admin/sessions', path);
      expect([status, provider.revoked]).toEqual([303, ['refresh']]);
      expect(await isSignedIn(client)).toBe(false);
    },
  );

  it.each<[string, number | undefined]>([
    ['refuses', 400],
    ['fails', 503],
    ['never responds', undefined],
  ])('succeeds when the provider %s', async (_, status) => {
    const client = await signIn();
    provider.revocationStatus = status;
    expect((await client.submit('/admin/sessions', '/admin/sign-out')).status).toBe(303);
    expect(provider.revoked).toEqual(['refresh']);
    expect(await isSignedIn(client)).toBe(false);
    const [event] = await service.app.get(AuditLog).list({ action: 'sessions.sign_out' }, { limit: 1 });
    expect(event).toMatchObject({ actor: 'oidc:248289' });
  });

  it('succeeds when the stored tokens of the provider can no longer be read', async () => {
    const client = await signIn();
    await service.app
      .get(DataSource)
      .getRepository(AdminSession)
      .update({ issuer: provider.issuer }, { sealedTokens: 'A'.repeat(60) });
    expect((await client.submit('/admin/sessions', '/admin/sign-out')).status).toBe(303);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('sends nothing to the provider for a session without a refresh token', async () => {
    const { client, response, nonce } = await beginSignIn(service, provider);
    provider.give(await sign(provider.idToken(nonce)));
    await client.get(`${CALLBACK}?${response.toString()}`);
    expect((await client.submit('/admin/sessions', '/admin/sign-out')).status).toBe(303);
    expect(provider.revoked).toEqual([]);
  });
});
