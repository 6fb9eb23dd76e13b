import { ProviderAwayError } from './oidc.errors';

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

/** Whether the provider did not respond; libraries hand on what {@link fetchFromProvider} throws as a cause. */
export function isAway(error: unknown): boolean {
  return error instanceof ProviderAwayError || (Error.isError(error) && isAway(error.cause));
}
