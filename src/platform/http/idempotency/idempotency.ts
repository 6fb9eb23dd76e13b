import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ownerColumnOf } from '../../database/column-types';
import { Database } from '../../database/database';
import type { AppError } from '../../errors/app-error';
import { IdempotencyInProgressError, IdempotencyKeyReusedError } from '../../errors/http-errors';
import { CLIENT, type OwnerOf } from '../../security/owner';
import type { Principal } from '../../security/principal';
import { Metrics } from '../../telemetry/metrics';
import { DAY_MS } from '../../values/calendar';
import type { Attempt, Endpoint, Exchange, Serializer } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { toAppError } from '../response/error.filter';
import { RenderedResponse } from '../exchange/rendered-response';
import { ReadOnlyMode } from '../../read-only/read-only-mode';
import { ResponseWriter } from '../response/response-writer';
import { resultOf } from './repetition';
import type { IdempotentResponse } from './idempotent-response.entity';
import { type ResponsePlace, IdempotentResponsesRepository, nameOf } from './idempotent-responses.repository';

/** Time for which a response is kept, in milliseconds. */
export const RESPONSE_LIFETIME_MS = DAY_MS;

/** Identity of an attempt. */
interface Identity {
  readonly place: ResponsePlace;
  readonly fingerprint: string;
}

/**
 * Makes repeated requests with one Idempotency-Key do their work once (draft-ietf-httpapi-idempotency-key-header): the response
 * is kept in the transaction of the work, so there is neither one without the other, whenever the process dies.
 */
@Injectable()
export class Idempotency {
  /** The fingerprints of attempts under way in this process, by the names of their places. */
  private readonly running = new Map<string, string>();
  /** How rows belong to others than clients, such as tenants; found at the first need. */
  private ownerRules: readonly OwnerOf[] | undefined;

  constructor(
    private readonly responses: IdempotentResponsesRepository,
    private readonly writer: ResponseWriter,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly readOnly: ReadOnlyMode,
  ) {}

  /**
   * Repeats the response that is kept for a request with a key, or prepares the attempt that is to make it.
   *
   * @param isDirect true to respond at once, false to leave that to the place of the handler, after guards and interceptors
   * @throws IdempotencyInProgressError while this process attends to the same request, if direct
   */
  async begin(exchange: Exchange, key: string, isDirect: boolean): Promise<void> {
    const { principal, path, query, bodyBytes } = exchange;
    if (!principal) return;
    const { operation } = exchange.endpoint as Endpoint;
    const target = nameOfTarget(operation, path, this.ownerOf(principal));
    const place = { lineageId: principal.lineageId, operation: target, key };
    const identity = { place, fingerprint: fingerprintOf(query, bodyBytes) };
    const name = nameOf(place);
    // One that ends while its response is looked up may have kept it too late for that.
    const before = this.running.get(name);
    const kept = await this.findKept(place);
    if (kept?.fingerprint === identity.fingerprint) {
      this.metrics.idempotentRequests.add('replayed');
      const rendered = new RenderedResponse(kept.status, kept.body, kept.location, true);
      exchange.rendered = rendered;
      if (isDirect) this.writer.write(exchange, undefined);
      else exchange.outcome = () => resultOf(operation, rendered);
      return;
    }
    const other = before ?? this.running.get(name);
    if (other === identity.fingerprint) {
      const error = this.counted(new IdempotencyInProgressError());
      if (isDirect) throw error;
      exchange.outcome = () => {
        throw error;
      };
      return;
    }
    // Another request under the same key is refused later: the faults of its body come first.
    const refusal = kept ? new IdempotencyKeyReusedError() : other && new IdempotencyInProgressError();
    exchange.attempt = refusal ? this.refused(refusal) : this.attempt(exchange, identity, name);
  }

  /** Names whose rows a client works on, besides its own: with another owner its request is another one. */
  private ownerOf(principal: Principal): string {
    this.ownerRules ??= ownerRulesOf(this.database.dataSource);
    const owners = this.ownerRules.map((ownerOf) => ownerOf(principal));
    return owners.some((owner) => owner !== undefined && owner !== principal.lineageId)
      ? JSON.stringify(owners)
      : '';
  }

  private async findKept(place: ResponsePlace): Promise<IdempotentResponse | undefined> {
    const found = await this.responses.find(place);
    return found && found.createdAt >= expiry() ? found : undefined;
  }

  private refused(refusal: AppError): Attempt {
    return { once: () => Promise.reject(this.counted(refusal)), end: () => undefined };
  }

  private attempt(exchange: Exchange, identity: Identity, name: string): Attempt {
    this.running.set(name, identity.fingerprint);
    return {
      once: async (work) => {
        try {
          const { result, rendered } = await this.settle(exchange, identity, work);
          exchange.rendered = rendered;
          this.metrics.idempotentRequests.add('first');
          return result;
        } catch (error) {
          if (!(error instanceof WorkRefused)) throw this.counted(error);
          this.metrics.idempotentRequests.add('first');
          throw error.thrown;
        }
      },
      end: () => void this.running.delete(name),
    };
  }

  private async settle<T>(exchange: Exchange, identity: Identity, work: () => Promise<T>) {
    const { operation, serialize } = exchange.endpoint as Endpoint & { readonly serialize: Serializer };
    let claim: Promise<void> | undefined;
    try {
      return await this.database.transaction(
        async () => {
          this.readOnly.assertWritable();
          const result = await this.refusing(work);
          const rendered = this.writer.render(operation, serialize, result);
          await this.keep(identity, rendered);
          return { result, rendered };
        },
        () => (claim = this.claim(identity.place)),
      );
    } catch (error) {
      // What the work makes of it is no response of its own.
      await claim;
      if (error instanceof WorkRefused) await this.keep(identity, RenderedResponse.ofError(error.refusal));
      throw error;
    }
  }

  /** @throws WorkRefused in place of what the work throws when another attempt would be refused as well: not in place of a fault */
  private async refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const refusal = toAppError(thrown, () => this.database);
      throw refusal.status < 500 ? new WorkRefused(refusal, thrown) : thrown;
    }
  }

  /**
   * Takes the place of a request as the first thing of its transaction.
   *
   * @throws IdempotencyInProgressError, or the refusal of read-only mode, which may have begun since the step that says it
   */
  private async claim(place: ResponsePlace): Promise<void> {
    if (!(await this.responses.lock(place))) throw new IdempotencyInProgressError();
    this.readOnly.assertWritable();
  }

  /** @throws IdempotencyInProgressError when another attempt, past the lock or since the look-up, has kept its response */
  private async keep({ place, fingerprint }: Identity, rendered: RenderedResponse): Promise<void> {
    const { status, body, location } = rendered;
    const response = { ...place, fingerprint, status, body, location, createdAt: new Date() };
    if (!(await this.responses.insert(response, expiry()))) throw new IdempotencyInProgressError();
  }

  private counted<Thrown>(error: Thrown): Thrown {
    this.metrics.idempotentRequests.add(outcomeOf(error));
    return error;
  }
}

/** Returns the time before which kept responses have expired. */
function expiry(): Date {
  return new Date(Date.now() - RESPONSE_LIFETIME_MS);
}

/** Returns how rows belong to others than clients. */
function ownerRulesOf({ entityMetadatas }: DataSource): OwnerOf[] {
  const rules = entityMetadatas.flatMap(({ target }) => ownerColumnOf(target)?.ownerOf ?? []);
  return rules.filter((ownerOf) => ownerOf !== CLIENT);
}

/**
 * Names the target of a request. A path with parameters and an owner are hashed, because PostgreSQL's index takes no text as long
 * as they may be.
 */
function nameOfTarget({ method, path: template }: Operation, path: string, owner: string): string {
  const name = `${method} ${template}`;
  if (owner !== '') return `${name} ${hash('sha256', `${path} ${owner}`, 'base64url')}`;
  return path === template ? name : `${name} ${hash('sha256', path, 'base64url')}`;
}

/** Returns what two requests must have in common, besides their path, to be the same. No JSON begins with a question mark. */
function fingerprintOf(query: string, body: Buffer = Buffer.alloc(0)): string {
  return hash('sha256', query === '' ? body : Buffer.concat([Buffer.from(`?${query}\n`), body]), 'base64url');
}

function outcomeOf(error: unknown): 'in_progress' | 'reused' | 'failed' {
  if (error instanceof IdempotencyInProgressError) return 'in_progress';
  if (error instanceof IdempotencyKeyReusedError) return 'reused';
  return 'failed';
}

/** Undoes the transaction of work that refuses its request; the refusal is kept as the response. */
class WorkRefused extends Error {
  constructor(
    readonly refusal: AppError,
    /** Error that the handler meets: its `catch` and a filter of the module get it unchanged. */
    readonly thrown: unknown,
  ) {
    super(refusal.message);
  }
}
