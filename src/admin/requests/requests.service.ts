import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service';
import type { KeyView } from '../../auth/dto/key-view';
import type { LogWindow } from '../../platform/database/entities/log-search';
import { OperationRegistry } from '../../platform/http/operations/operation-registry';
import type { LoggedRequest } from '../../platform/request-log/logged-request.entity';
import { instantOf } from '../../platform/request-log/logged-request-id';
import {
  type CountedRefusals,
  type RefusalFilter,
  type RequestFilter,
  RequestLogRepository,
} from '../../platform/request-log/request-log.repository';
import type { TimelineView } from '../../platform/tracing/timeline';
import { UnknownOperationError } from './reports/reports.errors';
import type { OperationFilter } from './request-filters';
import { LoggedRequestNotFoundError } from './requests.errors';
import { wait } from '../../platform/values/wait';

/** The facts about one request. The members are stable: scripts read them. */
export interface RequestView extends Omit<LoggedRequest, 'at' | 'timeline'> {
  /** Time at which it ended: ISO 8601, UTC. */
  readonly at: string;
  /** The operationId; null if the OpenAPI document has no operation with this method and route. */
  readonly operation: string | null;
  /** The present name of the key. */
  readonly keyName: string | null;
}

/** A request with its timeline. */
export interface RequestDetails extends RequestView {
  /** Null if the timeline was not kept. */
  readonly timeline: TimelineView | null;
}

/** A page of the log, newest first. */
export interface RequestPage {
  readonly items: readonly RequestView[];
  /** The id that the next page comes before; undefined at the end of the log. */
  readonly next: bigint | undefined;
  /** The oldest instant searched, if the search ran out of time and left the rest for the next page. */
  readonly lookedBackTo: Date | undefined;
}

/** The scopes that a request needed, and the key that it had. */
export interface RequestScopes {
  readonly needed: readonly string[];
  readonly key: KeyView;
}

/** The refused requests of a bounded part of the log, with the names of the keys. */
export interface Refusals extends CountedRefusals {
  /** Names of keys by id. */
  readonly keyNames: ReadonlyMap<string, string>;
}

/** Number of values shown of each member of refused requests. */
const SHOWN_REFUSALS = 5;

/** The first digits of a UUID, as narrow lists show an X-Request-Id. */
const SHORT_ID = /^[0-9a-f]{8}$/;

/** Time limit for the search for one page, in milliseconds. */
const LOOK_MS = 1_000;

/** Interval between reads of the end of the log, in milliseconds. */
const TAIL_INTERVAL_MS = 1_000;

/**
 * Overlap of these reads, in milliseconds: nodes write every two seconds and their clocks differ, so rows may still appear
 * before others.
 */
const TAIL_OVERLAP_MS = 10_000;

/** Most new requests shown after one read. */
const TAIL_LIMIT = 1_000;

/** The request log as operators read it. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly requests: RequestLogRepository,
    private readonly keys: ApiKeysService,
    private readonly registry: OperationRegistry,
  ) {}

  /**
   * The names of the operations whose requests are kept: the operationId, or the method and route of an operation that the
   * OpenAPI document leaves out.
   */
  get operationNames(): string[] {
    return this.registry
      .of('public')
      .filter(({ isQuiet }) => !isQuiet)
      .map(({ id, method, template, isDocumented }) => (isDocumented ? id : `${method} ${template}`));
  }

  /**
   * Searches a page, for a second at most: a filter without an index may take more than one page.
   *
   * @throws UnknownOperationError
   */
  async list({ operation, ...filter }: OperationFilter, { before, limit }: LogWindow): Promise<RequestPage> {
    const conditions = operation === undefined ? filter : { ...filter, ...this.routeOf(operation) };
    const items: LoggedRequest[] = [];
    const end = performance.now() + LOOK_MS;
    let reached = before;
    do {
      const found = await this.requests.find(conditions, {
        before: reached,
        limit: limit + 1 - items.length,
      });
      items.push(...found.items);
      reached = found.lookedBackTo;
    } while (reached !== undefined && performance.now() < end);
    const shown = await this.view(items.slice(0, limit));
    const next = items.length > limit ? shown.at(-1)?.id : reached;
    return { items: shown, next, lookedBackTo: reached === undefined ? undefined : instantOf(reached) };
  }

  /**
   * Returns the requests that took longest, of the newest 20,000 that the filter lets an index find.
   *
   * @throws UnknownOperationError
   */
  async slowest(
    { operation, ...filter }: OperationFilter,
    limit: number,
  ): Promise<Omit<RequestPage, 'next'>> {
    const conditions = operation === undefined ? filter : { ...filter, ...this.routeOf(operation) };
    const { items, lookedBackTo } = await this.requests.find(conditions, { limit, by: 'durationMs' });
    return {
      items: await this.view(items),
      lookedBackTo: lookedBackTo === undefined ? undefined : instantOf(lookedBackTo),
    };
  }

  /**
   * Returns the scopes that the operation of a request needs, and its key with the scopes that it has now; undefined where the
   * operation or the key is unknown.
   */
  async scopesOf({ method, route, keyId }: RequestView): Promise<RequestScopes | undefined> {
    const called = this.registry
      .of('public')
      .find((each) => each.method === method && each.template === route);
    const key = keyId === null ? undefined : (await this.keys.byId([keyId])).get(keyId);
    return called && key && { needed: called.scopes, key };
  }

  /** Returns requests with an X-Request-Id, or with one that begins with these eight digits of a UUID. */
  async named(requestId: string, limit: number): Promise<readonly RequestView[]> {
    const { items } = await this.list({ requestId }, { limit });
    if (items.length > 0 || !SHORT_ID.test(requestId)) return items;
    return this.view(await this.requests.beginningWith(requestId, limit));
  }

  /** Counts the newest refused requests by status, code and key. */
  async refusals(filter: RefusalFilter): Promise<Refusals> {
    const counted = await this.requests.refusals(filter, SHOWN_REFUSALS);
    const ids = counted.values.flatMap(({ by, value }) => (by === 'keyId' && value ? [value] : []));
    const keys = await this.keys.byId(ids);
    return { ...counted, keyNames: new Map([...keys].map(([id, { name }]) => [id, name])) };
  }

  /** @throws LoggedRequestNotFoundError */
  async get(id: bigint): Promise<RequestDetails> {
    const found = await this.requests.findOne(id);
    const [view] = await this.view(found ? [found] : []);
    if (!found || !view) throw new LoggedRequestNotFoundError();
    return { ...view, timeline: found.timeline ? (JSON.parse(found.timeline) as TimelineView) : null };
  }

  /**
   * Follows the end of the log of all nodes.
   *
   * @param last the number of requests already in the log that come first
   * @returns new requests, oldest first, whenever there are some, until the signal aborts
   */
  async *tail(filter: OperationFilter, last: number, signal: AbortSignal): AsyncGenerator<RequestView[]> {
    const beginning = await this.list(filter, { limit: TAIL_LIMIT });
    const seen = new Set(beginning.items.map(({ id }) => id));
    yield beginning.items.slice(0, last).reverse();
    let newest = beginning.items[0]?.id;
    while (!signal.aborted) {
      await wait(TAIL_INTERVAL_MS, signal).catch(() => undefined);
      const from =
        newest === undefined ? filter.at?.from : new Date(instantOf(newest).getTime() - TAIL_OVERLAP_MS);
      const { items } = await this.list({ ...filter, at: { ...filter.at, from } }, { limit: TAIL_LIMIT });
      const fresh = items.filter(({ id }) => !seen.has(id)).reverse();
      newest = items[0]?.id ?? newest;
      for (const id of seen) if (from && instantOf(id) < from) seen.delete(id);
      for (const { id } of fresh) seen.add(id);
      if (fresh.length > 0) yield fresh;
    }
  }

  /**
   * Returns the conditions for an operation. A method and route are not checked: commands do not know the routes of the
   * management port.
   *
   * @throws UnknownOperationError
   */
  private routeOf(name: string): RequestFilter {
    const [, method, route] = /^(\S+) (.+)$/.exec(name) ?? [];
    if (method !== undefined) return { method, route };
    const found = this.registry.of('public').find(({ id }) => name === id);
    if (!found) throw new UnknownOperationError(name);
    return { method: found.method, route: found.template };
  }

  private async view(requests: readonly LoggedRequest[]): Promise<RequestView[]> {
    const keys = await this.keys.byId(requests.flatMap(({ keyId }) => keyId ?? []));
    const documented = this.registry.of('public').filter(({ isDocumented }) => isDocumented);
    const operations = new Map(documented.map(({ id, method, template }) => [`${method} ${template}`, id]));
    return requests.map(({ at, timeline: _, ...request }) => ({
      ...request,
      at: at.toISOString(),
      operation: operations.get(`${request.method} ${request.route}`) ?? null,
      keyName: keys.get(request.keyId ?? '')?.name ?? null,
    }));
  }
}
