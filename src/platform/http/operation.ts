import type { Type } from '@nestjs/common';
import type { Listener } from '../management/listener';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy';
import type { Principal } from '../security/principal';
import type { AnswerDeclaration, DeclaredError } from './answer.decorators';
import type { Deprecation } from './deprecated-operation.decorator';
import type { Precondition } from './precondition';
import type { SnapshotPlace } from './snapshots';

/** What the platform knows of one route, worked out once at the start from its decorators. */
export interface Operation {
  /** The operationId: the name of the controller's method. */
  readonly id: string;
  readonly controller: Type;
  readonly method: string;
  /** The port it is served on. */
  readonly listener: Listener;
  /** Path template, `/v1/pets/:petId`. */
  readonly path: string;
  /** Path template as it is shown to people, `/v1/pets/{petId}`. */
  readonly template: string;
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  /** Its own rate limit; unset, it counts toward the common one. */
  readonly rateLimit: RateLimitPolicy | undefined;
  /** Names of the query parameters it knows. */
  readonly parameterNames: ReadonlySet<string>;
  readonly hasBody: boolean;
  /** Whether a request may be repeated under an Idempotency-Key. */
  readonly isIdempotent: boolean;
  /** What it answers on success; without one it writes its answer itself. */
  readonly answer: AnswerDeclaration | undefined;
  /** Errors of the domain it answers. */
  readonly errors: readonly DeclaredError[];
  readonly deprecation: Deprecation | undefined;
  /** Whether its answers may be repeated until the database changes. */
  readonly answersFromDatabase: boolean;
  /** Whether its requests are logged at debug only. */
  readonly isRoutine: boolean;
}

declare global {
  namespace Express {
    interface Request {
      /** The operation the request is for; set by the request path before the handler runs. */
      operation?: Operation;
      /** Who asks; unset on public operations. */
      principal?: Principal;
      /**
       * Header fields its answer has, whatever it is. Not set on the response: Node writes fields given in one call as
       * they are, and gathers all of them first, which costs a microsecond, when one was set before.
       */
      answerFields?: Readonly<Record<string, string>>;
      /** The code of the error that was answered. */
      errorCode?: string;
      /** Query parameters by name, each given at most once and known to the operation. */
      parameters?: Record<string, string>;
      /** The body as it came; kept for idempotent operations. */
      bodyBytes?: Buffer;
      /** Under what name an idempotent operation was asked for. */
      idempotencyKey?: string | undefined;
      /** What must hold of the resource before it is changed; unset for methods that change none. */
      precondition?: Precondition;
      /** Where the answer is kept for the next who asks the same; unset when it is not to be. */
      snapshotPlace?: SnapshotPlace;
    }
  }
}
