import { IdempotencyInProgressError, IdempotencyKeyReusedError } from '../../errors/http-errors';
import type { DeclaredError } from './response.decorators';

/** The errors of an operation that takes an `Idempotency-Key`. */
export function errorsOfOnce(takesBody: boolean): DeclaredError[] {
  const inProgress = {
    error: IdempotencyInProgressError,
    description: 'A request with this `Idempotency-Key` is still under way.',
  };
  const reused = {
    error: IdempotencyKeyReusedError,
    description: 'The `Idempotency-Key` was used with another body.',
  };
  return takesBody ? [reused, inProgress] : [inProgress];
}
