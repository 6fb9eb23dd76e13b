import { attemptWithin } from './attempts.ts';
import { Call, type ClientResponse } from './call.ts';
import { assertExact, readJson, type Shape, type Shapes, writeJson } from './exact-json.ts';
import { linkTo } from './links.ts';
import { type FetchedPage, List, type PageRequest } from './list.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { errorOf, PetstoreError, unexpectedResponse } from './petstore-error.ts';

/** An operation of the document, with the values that one call sends. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Path from `/`, with the parameters filled in. */
  readonly path: string;
  /** Numbers in that path, by their names. */
  readonly numbers?: object;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** Media type of a body that is neither plain JSON nor a form. */
  readonly bodyType?: string;
  readonly options?: (CallOptions & Partial<Conditions>) | undefined;
  /** Positions of the 64-bit integers in the response. */
  readonly shape?: Shape;
  /** True if it takes an `Idempotency-Key`. */
  readonly isIdempotent?: boolean;
  /** True if its response is a file and not JSON. */
  readonly isFile?: boolean;
}

interface Conditions {
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** A response whose body has been read. */
interface Received {
  readonly response: Response;
  readonly data: unknown;
}

/** Sends the requests of a client. */
export class Requests {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #shapes: Shapes;

  /** @param basePath path at which the document's paths begin; the address of the service may end in it */
  constructor(options: ClientOptions, basePath: string, shapes: Shapes) {
    if (!('rawJSON' in JSON))
      throw new TypeError(
        'JSON.rawJSON is missing, and 64-bit integers would be rounded: use Node.js 22 or newer, or a browser of 2025.',
      );
    if (!/^https?:\/\//.test(options.baseUrl))
      throw new TypeError('baseUrl must begin with http:// or https://.');
    // The error of `fetch` about a header field would show the key.
    if (!/^[\x21-\x7e]*$/.test(options.apiKey)) {
      throw new TypeError('apiKey must be visible ASCII characters without spaces.');
    }
    this.#options = options;
    const address = options.baseUrl.replace(/\/+$/, '');
    this.#baseUrl = address.endsWith(basePath) ? address : address + basePath;
    this.#shapes = shapes;
  }

  /** Calls an operation. */
  call<T>(operation: Operation): Call<T> {
    return new Call(this.#respond<T>(operation));
  }

  /** Prepares to read a list. */
  list<T>(operation: Operation): List<T> {
    return new List((request) => this.#page<T>(operation, request));
  }

  async #respond<T>(operation: Operation): Promise<ClientResponse<T>> {
    for (const [name, value] of Object.entries(operation.numbers ?? {})) assertExact(name, value);
    const { response, data } = await this.#send(operation, queryOf(operation.query ?? {}));
    return { data: data as T, status: response.status, headers: response.headers, ...namesOf(response) };
  }

  async #page<T>(operation: Operation, request: PageRequest): Promise<FetchedPage<T>> {
    const { next, ifNoneMatch, isWalk } = request;
    const options = { ...operation.options, ifNoneMatch };
    const { response, data } = await this.#send(
      { ...operation, options },
      next ?? queryOf(operation.query ?? {}),
      isWalk,
    );
    if (data === undefined) return { page: undefined, next: undefined };
    const target = linkTo('next', response);
    // Only the query is taken: the API key is sent to no other address than the one given, and the link may name another one.
    const query = target === undefined ? undefined : new URL(target, this.#baseUrl).search;
    const nextCursor =
      query === undefined ? undefined : (new URLSearchParams(query).get('cursor') ?? undefined);
    return { page: { items: data as T[], nextCursor, ...namesOf(response) }, next: query };
  }

  #send(operation: Operation, query: string, isWalk = false): Promise<Received> {
    const { options = {}, method, body } = operation;
    const { apiKey, attemptTimeout = 10_000, onWait } = this.#options;
    const budget = options.budget ?? this.#options.budget;
    const isRepeatable = operation.isIdempotent === true || method === 'GET';
    const headers = new Headers(options.headers);
    const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, value);
    set('authorization', `Bearer ${apiKey}`);
    const isJson = body !== undefined && !(body instanceof FormData);
    set('content-type', isJson ? (operation.bodyType ?? 'application/json') : undefined);
    set('if-match', options.ifMatch);
    set('if-none-match', options.ifNoneMatch);
    // Made once, so that all attempts carry the same.
    if (operation.isIdempotent) set('idempotency-key', options.idempotencyKey ?? randomKey());
    const init: RequestInit = {
      method,
      headers,
      body: isJson ? writeJson(body) : (body ?? null),
      // A creation that is redirected would arrive as a GET. With 'error' it would look like a broken connection.
      redirect: 'manual',
    };
    const attempts = {
      isRepeatable,
      budget: budget ?? 15_000,
      timeout: attemptTimeout,
      signal: options.signal,
      waitsAsTold: isWalk && budget === undefined,
      onWait: (milliseconds: number, error: PetstoreError) =>
        onWait?.({ operation: operation.name, milliseconds, error }),
    };
    const url = this.#baseUrl + operation.path + query;
    return attemptWithin(attempts, (signal) => this.#attempt(operation, url, { ...init, signal }));
  }

  async #attempt(operation: Operation, url: string, init: RequestInit): Promise<Received> {
    const { fetch: send = fetch, baseUrl } = this.#options;
    let response: Response;
    let body: Blob | string;
    try {
      response = await send(url, init);
      body = operation.isFile && response.ok ? await response.blob() : await response.text();
    } catch (cause) {
      const message = `No whole response came from ${baseUrl}: ${reasonOf(cause)}.`;
      throw new PetstoreError(message, { code: 'network_error', cause });
    }
    this.#announce(operation.name, response);
    if (response.status === 304) return { response, data: undefined };
    if (!response.ok) throw errorOf(response, body as string);
    if (typeof body !== 'string') return { response, data: body };
    return { response, data: body === '' ? undefined : this.#read(operation.shape, response, body) };
  }

  #read(shape: Shape | undefined, response: Response, text: string): unknown {
    try {
      return readJson(text, shape, this.#shapes);
    } catch (cause) {
      throw unexpectedResponse(response.status, { cause, requestId: namesOf(response).requestId });
    }
  }

  #announce(operation: string, response: Response): void {
    const deprecation = response.headers.get('deprecation')?.replace('@', '');
    const sunset = response.headers.get('sunset');
    if (deprecation === undefined && sunset === null) return;
    const link = linkTo('deprecation', response) ?? linkTo('sunset', response);
    this.#options.onDeprecation?.({
      operation,
      deprecation: deprecation === undefined ? undefined : new Date(Number(deprecation) * 1_000),
      sunset: sunset === null ? undefined : new Date(sunset),
      link: link === undefined ? undefined : new URL(link, this.#baseUrl).href,
    });
  }
}

function namesOf({ headers }: Response): { etag: string | undefined; requestId: string | undefined } {
  return { etag: headers.get('etag') ?? undefined, requestId: headers.get('x-request-id') ?? undefined };
}

/** Says why a connection failed: `fetch failed` has that in its cause, which may have a code alone. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = Object(error) as { cause?: unknown; message?: string; code?: string };
  return cause === undefined ? message || code || String(error) : reasonOf(cause);
}

/**
 * Leaves out parameters that are undefined; a list becomes one parameter for each of its values.
 *
 * @throws TypeError as {@link assertExact} does
 */
function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      assertExact(name, one);
      if (one !== undefined) query.append(name, String(one));
    }
  }
  return query.size > 0 ? `?${query}` : '';
}

/** 128 random bits. Pages that did not come by https have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
