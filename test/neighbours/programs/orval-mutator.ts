/** Sends the requests of orval's functions, whose last argument says where to and by which `fetch`. */
export async function send<Result>(
  path: string,
  { baseUrl = '', fetch: fetchBy = fetch, ...init }: RequestInit & { baseUrl?: string; fetch?: typeof fetch },
): Promise<Result> {
  const response = await fetchBy(`${baseUrl}${path}`, init);
  const data: unknown = await response.json();
  return { status: response.status, data, headers: response.headers } as Result;
}
