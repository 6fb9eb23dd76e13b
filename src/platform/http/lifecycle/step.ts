import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';

/** One thing that happens to a request before Nest takes it over. */
export interface Step {
  /** Tells whether requests for an operation take this step; without it, those for every operation do. */
  appliesTo?(operation: Operation): boolean;
  /**
   * Takes the step. The lifecycle goes on with the next step at once, or when the promise resolves, and ends when the
   * step has written a response.
   *
   * @throws AppError that the request is refused with
   */
  run(exchange: Exchange): void | Promise<void>;
}
