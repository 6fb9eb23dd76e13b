import { applyDecorators, SetMetadata } from '@nestjs/common';

/** An announced end of an operation. */
export interface Deprecation {
  /** Date since which the operation is deprecated (RFC 9745). */
  readonly since: Date;
  /** Date on which the operation goes away (RFC 8594). */
  readonly sunset: Date;
  /** Path of the operation to use instead, without the version segment. */
  readonly successor: string;
  /** Replacement in words for people, with code in backticks. `GET` on the successor unless given. */
  readonly replacement?: string;
}

export const DEPRECATION_METADATA = 'petstore:deprecation';

/**
 * Announces the end of an operation: header fields on every response of its path, `deprecated` in the document, and uses
 * counted per key. Configuration, not the clock, switches it off (DEPRECATED_OPERATIONS).
 */
export function DeprecatedOperation(deprecation: Deprecation): MethodDecorator {
  return applyDecorators(SetMetadata(DEPRECATION_METADATA, deprecation));
}
