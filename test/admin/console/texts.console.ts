import { freePort } from '../../support/processes/free-port';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import { openConsole } from '../../support/service/console';
import { beginSignIn, CALLBACK } from './support/forged-sign-in';
import { claims, type Forge, ForgingProvider, sign } from './support/forging-provider';
import { oidcEnvironment } from './support/oidc-provider';
import { ShelterModule } from '../../support/shelter/shelter.module';
import { IMPORTS } from './texts/imports';
import { KEYS } from './texts/keys';
import { LISTS } from './texts/lists';
import { RECORDS } from './texts/records';
import { REPORTS } from './texts/reports';
import { SIGN_IN } from './texts/sign-in';
import { expectSaid, Visit } from './texts/visit';

/**
 * The sentences of the console that are worth holding: warnings, refusals, confirmations and what has to be known, each once. Every
 * other test finds what it looks for by name, code or value, so a sentence that has become better is changed here alone. The rows are
 * visited in their order, by one operator of one service.
 */
describe('The console says', () => {
  let service: TestService;
  let visit: Visit;

  beforeAll(async () => {
    const start = () => startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    service = await withFeatures({ ShelterModule }, start);
    visit = new Visit(service, await openConsole(service, service.key));
  });
  afterAll(() => service.stop());

  it.each([...REPORTS, ...SIGN_IN, ...KEYS, ...IMPORTS, ...RECORDS, ...LISTS])(
    'of %s what it should',
    async (_where, open, sentences) => expectSaid(await open(visit), sentences),
  );
});

describe('The sign-in by OIDC says', () => {
  let provider: ForgingProvider;
  let service: TestService;

  beforeAll(async () => {
    const managementPort = await freePort('127.0.0.1');
    provider = await ForgingProvider.start();
    const environment = { ...oidcEnvironment(provider.issuer, managementPort), TRUST_PROXY: 'loopback' };
    service = await startTestService('sqlite', environment);
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
  });

  const unchanged = () => undefined;
  const host = () => new URL(provider.issuer).host;

  it.each<
    readonly [where: string, sentence: string, forge: Forge, change: (response: URLSearchParams) => void]
  >([
    [
      'a response that cannot be verified',
      'The response of PROVIDER could not be verified, so you are not signed in.',
      claims({ aud: 'another client' }),
      unchanged,
    ],
    [
      'a person without a group',
      'You are not in a group that may open this console.',
      claims({ groups: [] }),
      unchanged,
    ],
    [
      'groups that cannot be read',
      'Your groups could not be read from the response of PROVIDER.',
      claims({ groups: 1 }),
      unchanged,
    ],
    [
      'a person whose subject is none',
      'The response of the sign-in service could not be verified, so you are not signed in.',
      claims({ sub: '248289 (Ana)' }),
      unchanged,
    ],
    [
      'a sign-in of another browser',
      'This browser did not begin this sign-in, or has already completed the sign-in. Begin another sign-in.',
      (token) => token,
      (response) => response.delete('state'),
    ],
    [
      'a sign-in that was not completed at the provider',
      'The sign-in was not completed at PROVIDER.',
      (token) => token,
      (response) => {
        response.delete('code');
        response.set('error', 'access_denied');
      },
    ],
  ])('of %s: %s', async (_where, sentence, forge, change) => {
    const { client, response, nonce } = await beginSignIn(service, provider);
    provider.give(await sign(forge(provider.idToken(nonce), provider)));
    change(response);
    expectSaid(await client.get(`${CALLBACK}?${response.toString()}`), [
      sentence.replace('PROVIDER', host()),
    ]);
  });

  it('of a sign-in that was completed: that it was', async () => {
    const { client, response, nonce } = await beginSignIn(service, provider);
    provider.give(await sign(provider.idToken(nonce)));
    const cookies = [...client.cookies];
    await client.get(`${CALLBACK}?${response.toString()}`);
    client.cookies.clear();
    for (const [name, value] of cookies) client.cookies.set(name, value);
    const again = await client.get(`${CALLBACK}?${response.toString()}`);
    expectSaid(again, ['This sign-in was already completed. Begin another sign-in.']);
  });

  it('of a provider that is away: that it is', async () => {
    const { client, response } = await beginSignIn(service, provider);
    provider.tokens = { status: 503, body: '' };
    const away = await client.get(`${CALLBACK}?${response.toString()}`);
    expectSaid(away, [`${host()} does not respond, so you cannot sign in at the moment.`]);
  });

  it('of a key: that it is for emergencies', async () => {
    const client = await openConsole(service, service.key);
    expectSaid(await client.get('/admin/sessions'), [
      'You are signed in with an API key. Keys are for emergencies here: this sign-in is in the audit log.',
    ]);
  });
});
