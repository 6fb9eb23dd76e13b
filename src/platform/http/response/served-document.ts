import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document that the service serves. */
export abstract class ServedDocument {
  /** @throws Error before it has been built */
  abstract get document(): OpenAPIObject;
}
