import { ProviderAwayError } from './oidc.errors';

/** How long a response of the provider may take. */
export const PROVIDER_TIMEOUT_MS = 5_000;

/**
 * `fetch` to the OIDC provider. A response that does not come as a whole is told from one that is wrong: only the latter says
 * something of the person it is about.
 *
 * @throws ProviderAwayError also for statuses that say "not now"
 */
export async function fetchFromProvider(url: string, options: object): Promise<Response> {
  const { status, headers, body } = await receive(url, options);
  if (status >= 500 || status === 429) throw new ProviderAwayError({ cause: new Error(`Status ${status}`) });
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

async function receive(url: string, options: object) {
  try {
    const response = await fetch(url, options);
    return { status: response.status, headers: response.headers, body: await response.arrayBuffer() };
  } catch (cause) {
    throw new ProviderAwayError({ cause });
  }
}
