import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange';
import { Idempotency } from '../idempotency/idempotency';
import { readIdempotencyKey } from '../idempotency/idempotency-key';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Reads the `Idempotency-Key`, for the handler to do its work once. */
@Injectable()
export class IdempotencyStep implements Step {
  constructor(private readonly idempotency: Idempotency) {}

  appliesTo({ isIdempotent }: Operation): boolean {
    return isIdempotent;
  }

  run(exchange: Exchange): void {
    const key = readIdempotencyKey(exchange.request);
    if (key !== undefined) this.idempotency.prepare(exchange, key);
  }
}
