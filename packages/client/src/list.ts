/** One page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Start of the next page, to be given as `cursor` together with the same filters; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** Names this state of the page, for `ifNoneMatch`. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
}

/** A page, and the query of the one after it. */
export interface FetchedPage<T> {
  readonly page: Page<T> | undefined;
  readonly next: string | undefined;
}

/** What a page is requested by. */
export interface PageRequest {
  /** The query of the page; the first has none. */
  readonly next?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** True if it is one of many. */
  readonly isWalk?: boolean;
}

/** A list of the service. Nothing is requested until it is walked, or one of its pages is asked for. */
export class List<T> implements AsyncIterable<T> {
  readonly #fetch: (request: PageRequest) => Promise<FetchedPage<T>>;

  constructor(fetch: (request: PageRequest) => Promise<FetchedPage<T>>) {
    this.#fetch = fetch;
  }

  /** Requests one page. */
  page(condition?: { readonly ifNoneMatch?: undefined }): Promise<Page<T>>;
  /** Requests one page if it has changed; gives `undefined` otherwise. */
  page(condition: { readonly ifNoneMatch: string | undefined }): Promise<Page<T> | undefined>;
  async page(condition: { readonly ifNoneMatch?: string | undefined } = {}): Promise<Page<T> | undefined> {
    return (await this.#fetch({ ifNoneMatch: condition.ifNoneMatch })).page;
  }

  /**
   * Walks all pages, one request each. At the rate limit of its key it waits as long as the service says, unless a budget was
   * given.
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let next: string | undefined;
    do {
      const fetched = await this.#fetch({ next, isWalk: true });
      if (fetched.page) yield fetched.page;
      next = fetched.next;
    } while (next !== undefined);
  }

  /** Walks all items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
