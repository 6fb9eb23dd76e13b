import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import { Idempotency } from '../idempotency/idempotency';
import { readIdempotencyKey } from '../idempotency/idempotency-key';
import type { Operation } from '../operations/operation';
import type { Step } from './step';
import { TeamParts } from './team-parts';

/**
 * Reads the `Idempotency-Key`: repeats the response kept for it, or lets the handler do its work once. Where guards and the like
 * of a team have to be asked first, the response is repeated in place of the handler.
 */
@Injectable()
export class IdempotencyStep implements Step {
  private readonly direct = new Set<Operation>();

  constructor(
    private readonly idempotency: Idempotency,
    private readonly parts: TeamParts,
  ) {}

  appliesTo(operation: Operation): boolean {
    if (operation.isIdempotent && this.parts.of(operation).length === 0) this.direct.add(operation);
    return operation.isIdempotent;
  }

  run(exchange: Exchange): void | Promise<void> {
    const key = readIdempotencyKey(exchange.request);
    if (key === undefined) return;
    return this.idempotency.begin(exchange, key, this.direct.has(exchange.operation as Operation));
  }
}
