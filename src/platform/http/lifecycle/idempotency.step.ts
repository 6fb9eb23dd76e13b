import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InvalidIdempotencyKeyError } from '../../errors/http-errors';
import type { Exchange } from '../exchange/exchange';
import { Idempotency } from '../idempotency/idempotency';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Longest key that is taken, in characters. */
const MAX_KEY_LENGTH = 255;

/** Visible ASCII. */
const BARE = /^[\x21-\x7e]+$/;
/** The string of RFC 9651, section 3.3.3, which draft-ietf-httpapi-idempotency-key-header asks for. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** Reads the `Idempotency-Key`: repeats the response kept for it, or lets the handler do its work once. */
@Injectable()
export class IdempotencyStep implements Step {
  constructor(private readonly idempotency: Idempotency) {}

  appliesTo({ isIdempotent }: Operation): boolean {
    return isIdempotent;
  }

  run(exchange: Exchange): void | Promise<void> {
    const key = readIdempotencyKey(exchange.request);
    if (key !== undefined) return this.idempotency.begin(exchange, key);
  }
}

/**
 * Reads the Idempotency-Key field of a request. The quoted and the bare form of a key are the same key.
 *
 * @returns undefined without the field
 * @throws InvalidIdempotencyKeyError
 */
function readIdempotencyKey(request: IncomingMessage): string | undefined {
  // Most requests have none, and headersDistinct sorts all their fields anew.
  if (request.headers['idempotency-key'] === undefined) return undefined;
  const [field = '', ...others] = request.headersDistinct['idempotency-key'] ?? [];
  const quoted = QUOTED.exec(field.trim());
  const key = quoted ? (quoted[1] as string).replaceAll(/\\(.)/g, '$1') : field.trim();
  if (others.length > 0 || key.length > MAX_KEY_LENGTH || !BARE.test(key))
    throw new InvalidIdempotencyKeyError();
  return key;
}
