import { hash } from 'node:crypto';
import { Injectable, SetMetadata } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/database';
import type { Principal } from '../../security/principal';
import { Metrics } from '../../telemetry/metrics';
import type { CacheEntry, Exchange } from '../exchange/exchange';
import { ServiceAddress } from '../../values/service-address';
import { CACHED_METADATA } from '../operations/metadata';

/**
 * The response depends on nothing but the request's target, its caller and the database: not on the time. So the bytes that
 * a caller got may be sent to the same caller again for as long as the database has not changed. Nothing is kept where a guard,
 * an interceptor or the like of a team has to be asked: the log of the start names it.
 */
export function CacheResponse(): MethodDecorator {
  return SetMetadata(CACHED_METADATA, true);
}

/** Body and header fields of a 200 as it was written. */
export interface CachedResponse {
  readonly body: string;
  readonly fields: Readonly<Record<string, string>> & { readonly ETag: string };
}

interface VersionedResponse extends CachedResponse {
  readonly version: number;
}

/** Most memory the cached responses take, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Most requests that are remembered as asked before; only from the second time on is a request worth the trouble. */
const MAX_ASKED = 1_024;

/** The parts of a client that its responses may depend on, by client: those of one object do not change. */
const names = new WeakMap<Principal, string>();

/** Approximate size of an entry without its text, in bytes. */
const ENTRY_BYTES = 512;

/**
 * Responses kept for exactly as long as they are true: each carries the version of the database it was read from, and is used
 * only while the database has that version. PostgreSQL has no such number, so nothing is kept there.
 */
@Injectable()
export class ResponseCache {
  private readonly kept = new LRUCache<string, VersionedResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, name) => 2 * (body.length + name.length) + ENTRY_BYTES,
  });

  /** Responses that are asked for once would only be carried from one garbage collection to the next. */
  private readonly asked = new LRUCache<string, true>({ max: MAX_ASKED });

  constructor(
    private readonly address: ServiceAddress,
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Returns the slot for the response to this request; undefined when nothing is to be kept. Called before the response is
   * read, so that a commit in between makes the response look older than it is, never newer.
   */
  entryFor({ request, principal, operation }: Exchange): CacheEntry | undefined {
    if (!this.database.isVersioned) return undefined;
    // Links in the response begin with the root; its content may depend on all that is known of the caller.
    const caller = principal ? nameOf(principal) : '';
    const name = `${caller} ${operation?.handlerName} ${this.address.rootFor(request)} ${request.url}`;
    const version = this.isAskedAgain(name) ? this.database.version() : undefined;
    if (version !== undefined) return { name, version };
    this.metrics.cacheLookups.add('responsesMiss');
    return undefined;
  }

  find({ name, version }: CacheEntry): CachedResponse | undefined {
    const response = this.kept.get(name);
    const found = response?.version === version ? response : undefined;
    this.metrics.cacheLookups.add(found ? 'responsesHit' : 'responsesMiss');
    return found;
  }

  store({ name, version }: CacheEntry, body: string, fields: CachedResponse['fields']): void {
    this.kept.set(name, { body, fields, version });
  }

  private isAskedAgain(name: string): boolean {
    const isAgain = this.asked.get(name) !== undefined;
    if (!isAgain) this.asked.set(name, true);
    return isAgain;
  }
}

/** Hashes all members of a client: a key that gets another owner or other scopes is another client. */
function nameOf(principal: Principal): string {
  let name = names.get(principal);
  if (name === undefined) {
    const members = JSON.stringify(principal, (_name, member: unknown) =>
      member instanceof Set ? [...member] : member,
    );
    names.set(principal, (name = hash('sha256', members, 'base64url')));
  }
  return name;
}
