import type { ServedDocument, ServedOperation } from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';

/** An operation whose promises are tried, on a service that has it. */
export interface TriedOperation {
  readonly service: TestService;
  readonly document: ServedDocument;
  readonly operation: ServedOperation;
}

/** Makes the same requests each time; a failure prints seed and path of its smallest one. */
export const SEED = 20_301_205;
