import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { AppError } from '../../errors/app-error';
import { IdempotencyInProgressError, IdempotencyKeyReusedError } from '../../errors/http-errors';
import { Metrics } from '../../telemetry/metrics';
import { type Endpoint, type Exchange, exchangeOf } from '../exchange';
import type { Operation } from '../operations/operation';
import { RenderedResponse } from '../response/rendered-response';
import { ReadOnlyMode } from '../../read-only/read-only-mode';
import { currentContext } from '../../tracing/request-context';
import { ResponseWriter } from '../response/response-writer';
import type { Serializer } from '../response/serializer';
import type { IdempotentResponse } from './idempotent-response.entity';
import { type ResponsePlace, IdempotentResponsesRepository, nameOf } from './idempotent-responses.repository';

/** How long a response is kept, in milliseconds. */
export const RESPONSE_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** One request with an idempotency key. */
interface Attempt {
  readonly place: ResponsePlace;
  readonly fingerprint: string;
  readonly operation: Operation;
  readonly serialize: Serializer;
}

/** The handler's work, done once for all requests with the same key, when the one in progress has a key. */
export function onceIfAsked<T>(work: () => Promise<T>): Promise<T | RenderedResponse> {
  const context = currentContext();
  const once = context && exchangeOf(context.request)?.once;
  return once ? once(work) : work();
}

/**
 * Makes repeated requests with one Idempotency-Key do their work once (draft-ietf-httpapi-idempotency-key-header): the response
 * is kept in the transaction of the work, so there is neither one without the other, whenever the process dies.
 */
@Injectable()
export class Idempotency {
  /** The responses that attempts under way have found kept; null for those that are the first. */
  private readonly running = new Map<string, Promise<IdempotentResponse | null>>();

  constructor(
    private readonly responses: IdempotentResponsesRepository,
    private readonly writer: ResponseWriter,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly readOnly: ReadOnlyMode,
  ) {}

  /** Lets the handler of a request that came with a key do its work once for all requests with that key. */
  prepare(exchange: Exchange, key: string): void {
    const { principal, path, query, bodyBytes } = exchange;
    const { operation, serialize } = exchange.endpoint as Endpoint & { readonly serialize: Serializer };
    if (!principal) return;
    const place = { lineageId: principal.lineageId, operation: nameOfTarget(operation, path), key };
    const attempt = { place, fingerprint: fingerprintOf(query, bodyBytes), operation, serialize };
    exchange.once = (work) => this.once(attempt, work);
  }

  /** @throws IdempotencyInProgressError or IdempotencyKeyReusedError */
  private async once(attempt: Attempt, work: () => Promise<unknown>): Promise<RenderedResponse> {
    try {
      const response = await this.attempt(attempt, work);
      this.metrics.idempotentRequests.add(response.isReplayed ? 'replayed' : 'first');
      return response;
    } catch (error) {
      this.metrics.idempotentRequests.add(outcomeOf(error));
      throw error;
    }
  }

  private async attempt(attempt: Attempt, work: () => Promise<unknown>): Promise<RenderedResponse> {
    const name = nameOf(attempt.place);
    const other = this.running.get(name);
    if (other) return replay(attempt, await other);
    const found = Promise.withResolvers<IdempotentResponse | null>();
    this.running.set(name, found.promise);
    try {
      return await this.database.transaction(() => this.decide(attempt, work, found.resolve));
    } catch (error) {
      if (error instanceof WorkRefused) {
        await this.store(attempt, RenderedResponse.ofError(error.refusal));
        throw error.refusal;
      }
      throw error;
    } finally {
      this.running.delete(name);
      found.resolve(null);
    }
  }

  private async decide(
    attempt: Attempt,
    work: () => Promise<unknown>,
    reportFound: (kept: IdempotentResponse | null) => void,
  ): Promise<RenderedResponse> {
    const { place, operation, serialize } = attempt;
    const isLocked = await this.responses.lock(place);
    const found = await this.responses.find(place);
    const kept = found && found.createdAt.getTime() > Date.now() - RESPONSE_LIFETIME_MS ? found : null;
    reportFound(kept);
    // The request that has the lock may be another repetition.
    if (kept || !isLocked) return replay(attempt, kept);
    this.readOnly.assertWritable();
    if (found) await this.responses.delete(place);
    const result = await work().catch((error: unknown) => {
      throw isRefusal(error) ? new WorkRefused(error) : error;
    });
    const response = this.writer.render(operation, serialize, result);
    // Engines without advisory locks let two attempts come this far; the work of the second is undone.
    if (!(await this.store(attempt, response))) throw new IdempotencyInProgressError();
    return response;
  }

  private store(
    { place, fingerprint }: Attempt,
    { status, body, location }: RenderedResponse,
  ): Promise<boolean> {
    return this.responses.insert({ ...place, fingerprint, status, body, location, createdAt: new Date() });
  }
}

/** Names what a request is for. A path with parameters is hashed: PostgreSQL's index takes no text as long as a path may be. */
function nameOfTarget({ method, path: template }: Operation, path: string): string {
  const name = `${method} ${template}`;
  return path === template ? name : `${name} ${hash('sha256', path, 'base64url')}`;
}

/** What two requests must have in common, besides their path, to be the same one. No JSON begins with a question mark. */
function fingerprintOf(query: string, body: Buffer = Buffer.alloc(0)): string {
  return hash('sha256', query === '' ? body : Buffer.concat([Buffer.from(`?${query}\n`), body]), 'base64url');
}

/** @throws IdempotencyInProgressError when nothing is kept yet, IdempotencyKeyReusedError when it belongs to another query or body */
function replay({ fingerprint }: Attempt, kept: IdempotentResponse | null): RenderedResponse {
  if (!kept) throw new IdempotencyInProgressError();
  if (kept.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return new RenderedResponse(kept.status, kept.body, kept.location, true);
}

function outcomeOf(error: unknown): 'first' | 'in_progress' | 'reused' | 'failed' {
  if (error instanceof IdempotencyInProgressError) return 'in_progress';
  if (error instanceof IdempotencyKeyReusedError) return 'reused';
  return isRefusal(error) ? 'first' : 'failed';
}

/** The work was undone and its refusal is its response. */
class WorkRefused extends Error {
  constructor(readonly refusal: AppError) {
    super(refusal.message);
  }
}

/** Another attempt would be refused as well, which cannot be said of a fault. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}
