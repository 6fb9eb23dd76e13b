/** What a request was. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** When it was sent, by `performance.now()`. */
  readonly at: number;
}

/** In place of a response: the connection breaks, or nothing ever comes. */
export type Reply = Response | 'breaks' | 'hangs';

/** A `fetch` that replies from a list, in order, and hands what comes after to another one. */
export class ScriptedFetch {
  readonly sent: SentRequest[] = [];

  constructor(
    private readonly replies: Reply[],
    private readonly others: typeof fetch = () => Promise.reject(new TypeError('No reply is left.')),
  ) {}

  readonly fetch: typeof fetch = (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init;
    this.sent.push({
      url: input as string,
      method,
      headers: new Headers(headers),
      body,
      at: performance.now(),
    });
    const reply = this.replies.shift();
    if (reply === undefined) return this.others(input, init);
    if (reply === 'breaks') return Promise.reject(new TypeError('fetch failed'));
    if (reply instanceof Response) return Promise.resolve(reply);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
}

/** An error as the service responds with it. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, message: 'A sentence.', status }), { status, headers });
}
