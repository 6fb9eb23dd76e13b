import type { TestService } from '../support/service/service';

/** A response with the value of its JSON. */
export interface JsonResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Sends requests with JSON to a service of a test. */
export function jsonClient(service: () => TestService) {
  return async <Body = never>(method: string, path: string, body?: unknown): Promise<JsonResponse<Body>> => {
    const response = await service().fetch(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const text = await response.text();
    return { status: response.status, body: valueOf(text) as Body };
  };
}

/** A bare text, which Nest sends as it is, stays one. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Names of all pets of a service. */
export async function petNames(service: TestService): Promise<string[]> {
  const names: string[] = [];
  for (let path: string | undefined = '/v1/pets?limit=100'; path !== undefined;) {
    const response: Response = await service.fetch(path);
    names.push(...((await response.json()) as { name: string }[]).map(({ name }) => name));
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    path = next?.replace(/^https?:\/\/[^/]*/, '');
  }
  return names;
}
