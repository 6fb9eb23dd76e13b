import { DataSource } from 'typeorm';
import { AdminSession } from '../../src/admin/console/sessions/admin-session.entity';
import { DEVICE_QUESTIONS_PER_MINUTE } from '../../src/admin/console/sessions/sign-in-limit';
import { freePort } from '../support/processes/free-port';
import { startTestService, type TestService } from '../support/service/service';
import { claims, type Forge, FORGERIES, ForgingProvider, sign } from './support/forging-provider';
import { CLIENT, oidcEnvironment } from './support/oidc-provider';

const UNVERIFIED = 'The response of Example Account could not be verified, so you are not signed in.';

let provider: ForgingProvider;
let service: TestService;
let addresses = 0;

beforeAll(async () => {
  const managementPort = await freePort('127.0.0.1');
  provider = await ForgingProvider.start();
  service = await startTestService('sqlite', {
    ...oidcEnvironment(provider.issuer, managementPort),
    // Each command line has an address of its own, so that the limit of failed sign-ins is not met.
    TRUST_PROXY: 'loopback',
  });
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() => {
  provider.userinfo = { sub: '248289', groups: ['admins'] };
});

/** Sends what a command line sends, from an address of its own. */
async function send(path: string, body: unknown) {
  const response = await fetch(`${service.managementUrl}/admin/device-sign-in${path}`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.113.${(addresses += 1)}`,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

/** Asks what has become of a sign-in whose code no other has. */
const ask = (deviceCode: string = crypto.randomUUID()) => send('/session', { deviceCode });

const countSessions = () => service.app.get(DataSource).getRepository(AdminSession).count();

describe('The sign-in of a command line', () => {
  const refused = { status: 401, code: 'sign_in_refused', message: UNVERIFIED };

  it('signs its person in once when it is valid', async () => {
    provider.give(await sign(claims({ nonce: undefined })(provider.idToken(''))));
    const deviceCode = crypto.randomUUID();
    expect(await ask(deviceCode)).toMatchObject({ status: 200, state: 'signed_in', name: 'Ana Lima' });
    expect(await ask(deviceCode)).toMatchObject({
      status: 401,
      message: 'This sign-in was already completed: begin another one.',
    });
  });

  it.each<readonly [string, Forge]>([
    ...FORGERIES,
    ['for several clients', claims({ aud: [CLIENT.id, 'another client'] })],
    ['without a time', claims({ iat: undefined })],
    ['without a subject', claims({ sub: undefined })],
    ['that is a logout token', () => provider.logoutToken()],
    ['for a sign-in with a browser', claims({ nonce: 'of the browser' })],
  ])('is refused with an ID token %s', async (_, forge) => {
    const before = await countSessions();
    provider.give(await sign(forge(claims({ nonce: undefined })(provider.idToken('')), provider)));
    expect(await ask()).toEqual(refused);
    expect(await countSessions()).toBe(before);
  });

  it.each([
    ['no ID token', undefined],
    ['what is no token', 'not a token'],
  ])('is refused with %s', async (_, token) => {
    provider.give(token);
    expect(await ask()).toEqual(refused);
  });

  it.each([
    ['authorization_pending', { status: 200, state: 'pending' }],
    ['slow_down', { status: 200, state: 'slow_down' }],
    [
      'expired_token',
      {
        status: 401,
        code: 'sign_in_refused',
        message: 'This sign-in is no longer known: begin another one.',
      },
    ],
    [
      'access_denied',
      { status: 401, code: 'sign_in_refused', message: 'The sign-in was refused at Example Account.' },
    ],
  ])('follows the response of the provider: %s', async (error, expected) => {
    provider.tokens = { status: 400, body: JSON.stringify({ error }) };
    expect(await ask()).toEqual(expected);
  });

  it('continues when the provider is back', async () => {
    provider.tokens = { status: 503, body: '' };
    expect(await ask()).toMatchObject({ status: 503, code: 'provider_away' });
  });

  it('does not poll the provider faster than that allows', async () => {
    provider.tokens = { status: 400, body: JSON.stringify({ error: 'authorization_pending' }) };
    const deviceCode = crypto.randomUUID();
    for (let i = 0; i < DEVICE_QUESTIONS_PER_MINUTE; i++) await ask(deviceCode);
    expect(await ask(deviceCode)).toEqual({ status: 200, state: 'slow_down' });
  });

  it('does not begin at a provider without the device flow', async () => {
    expect(await send('', {})).toMatchObject({
      status: 401,
      message: 'Example Account does not sign in command lines: it offers no device flow.',
    });
  });

  it('is polled by its code only', async () => {
    const wrong = [{}, null, { deviceCode: '' }, { deviceCode: 17 }, { deviceCode: 'x'.repeat(4_001) }];
    for (const body of wrong) {
      expect(await send('/session', body)).toMatchObject({ status: 400, code: 'invalid_body' });
    }
  });
});
