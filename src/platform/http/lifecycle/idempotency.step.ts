import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import { Idempotency } from '../idempotency/idempotency';
import { readIdempotencyKey } from '../idempotency/idempotency-key';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

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
