/** A response and its content. */
export interface ClientResponse<T> {
  readonly data: T;
  readonly status: number;
  /** Names this state of the resource, for `ifNoneMatch` and `ifMatch`. */
  readonly etag: string | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
}

/** A call under way: await it for the content of the response, or `withResponse()` for the response as well. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #response: Promise<ClientResponse<T>>;

  constructor(response: Promise<ClientResponse<T>>) {
    this.#response = response;
  }

  withResponse(): Promise<ClientResponse<T>> {
    return this.#response;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#response.finally(onFinally).then(({ data }) => data);
  }
}
