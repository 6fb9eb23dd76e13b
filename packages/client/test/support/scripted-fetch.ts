/** A request that was sent. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** Time at which it was sent, by `performance.now()`. */
  readonly at: number;
}

/** A response, or in place of one: the connection breaks, or no response ever comes. */
export type Reply = Response | 'breaks' | 'hangs';

/** A `fetch` that replies from a list, in order, and passes later requests to another one. */
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

/** An error response of the service. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, message: 'A sentence.', status }), { status, headers });
}
