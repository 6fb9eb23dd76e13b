import type { TestService } from '../../support/service/service';
import { type ConsoleClient, type ConsoleResponse, openConsole } from './console';
import type { ForgingProvider } from './forging-provider';

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

/** Expects that the page says why, in a sentence, and that the browser has no session. */
export async function expectRefused(
  client: ConsoleClient,
  page: ConsoleResponse,
  sentence: string,
): Promise<void> {
  expect(page.html).toContain(sentence);
  expect(page.status).toBe(401);
  expect([...client.cookies.keys()].filter((name) => name.startsWith('petstore_admin'))).toEqual([]);
  expect((await client.get('/admin/sessions')).status).toBe(303);
}
