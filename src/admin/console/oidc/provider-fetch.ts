import { ProviderAwayError } from '../sessions/identity-provider.errors';

/**
 * `fetch` to the OIDC provider. An incomplete response is distinguished from a wrong one, because only a wrong one says
 * something about the person.
 *
 * @throws ProviderAwayError if the response is incomplete, and for statuses that mean "not now"
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

/** True if the provider did not respond; libraries pass on the error of {@link fetchFromProvider} as a cause. */
export function isAway(error: unknown): boolean {
  return error instanceof ProviderAwayError || (Error.isError(error) && isAway(error.cause));
}
