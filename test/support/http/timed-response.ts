/** What a client got, and how long it waited for it. */
export interface TimedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** From the request to the last byte, in milliseconds. */
  readonly ms: number;
}

/** Asks and reads the whole response; undefined when the connection was refused or broke off. */
export async function timed(ask: () => Promise<Response>): Promise<TimedResponse | undefined> {
  const start = performance.now();
  try {
    const response = await ask();
    const body = await response.text();
    return { status: response.status, headers: response.headers, body, ms: performance.now() - start };
  } catch {
    return undefined;
  }
}
