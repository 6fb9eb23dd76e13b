import type { JWTPayload } from 'jose';
import type { TestService } from '../../../support/service/service';
import { type ConsoleClient, type ConsoleResponse, openConsole } from '../../../support/service/console';
import { claims, type ForgingProvider, sign } from './forging-provider';
import { faultsIn } from './said';

/** Where the provider leads browsers back to. */
export const CALLBACK = '/admin/sign-in/oidc/callback';

/** A sign-in that a browser has begun. */
export interface BegunSignIn {
  readonly client: ConsoleClient;
  /** What a good provider leads it back with. */
  readonly response: URLSearchParams;
  readonly nonce: string;
}

let addresses = 0;

/** Begins a sign-in, with a browser at an address of its own: so the limit of failed sign-ins is not met. */
export async function beginSignIn(
  service: TestService,
  { issuer }: ForgingProvider,
  wanted = '',
): Promise<BegunSignIn> {
  const client = await openConsole(service);
  client.headers = { 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` };
  const { location = '' } = await client.get(`/admin/sign-in/oidc${wanted}`);
  const asked = new URL(location).searchParams;
  const response = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', iss: issuer });
  return { client, response, nonce: asked.get('nonce') ?? '' };
}

/** The kinds of refusals of a sign-in. */
export type RefusalKind = 'unverified' | 'foreign' | 'not completed' | 'unreadable groups' | 'no group';

/** What the sign-in page says of each kind of refusal, as one case of it shows: no other test depends on the words. */
export async function refusalsOf(
  service: TestService,
  provider: ForgingProvider,
): Promise<Readonly<Record<RefusalKind, string>>> {
  const refusal = async (
    give: (nonce: string) => unknown,
    change: (response: URLSearchParams) => void = () => undefined,
  ) => {
    const { client, response, nonce } = await beginSignIn(service, provider);
    await give(nonce);
    change(response);
    return faultsIn(await client.get(`${CALLBACK}?${response.toString()}`))[''] ?? '';
  };
  const withGroups = (groups: JWTPayload[string]) => async (nonce: string) =>
    provider.give(await sign(claims({ groups })(provider.idToken(nonce))));
  const give = () => provider.give('not a token');
  return {
    unverified: await refusal(give),
    foreign: await refusal(give, (response) => response.delete('state')),
    'not completed': await refusal(give, (response) => {
      response.delete('code');
      response.set('error', 'access_denied');
    }),
    'unreadable groups': await refusal(withGroups(1)),
    'no group': await refusal(withGroups([])),
  };
}

/** Expects that the page says why, and that the browser has no session. @param reason what it says, or a matcher of that */
export async function expectRefused(
  client: ConsoleClient,
  page: ConsoleResponse,
  reason: unknown,
): Promise<void> {
  expect([page.status, faultsIn(page)]).toEqual([401, { '': reason }]);
  expect([...client.cookies.keys()].filter((name) => name.startsWith('petstore_admin'))).toEqual([]);
  expect((await client.get('/admin/sessions')).status).toBe(303);
}
