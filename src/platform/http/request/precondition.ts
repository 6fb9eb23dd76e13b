import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { PreconditionFailedError } from '../../errors/http-errors';
import { ErrorResponse } from '../operations/response.decorators';
import { entityTag } from './conditional';

/** The If-Match condition of a request: that a resource is still as the client has seen it (RFC 9110, section 13.1.1). */
export class Precondition {
  /** The precondition of a request without one. */
  static readonly NONE = new Precondition(undefined, () => '');

  /**
   * @param field the If-Match field
   * @param tagOf gives the entity tag a GET of the resource would respond with
   */
  constructor(
    private readonly field: string | undefined,
    private readonly tagOf: (resource: unknown) => string,
  ) {}

  /**
   * @param resource the DTO of the resource as it is, read in the transaction that is to change it
   * @throws PreconditionFailedError
   */
  check(resource: unknown): void {
    if (this.field === undefined || this.field.trim() === '*') return;
    // By strong comparison: a weak tag does not identify bytes.
    const named: readonly string[] = this.field.match(/(?:W\/)?"[^"]*"/g) ?? [];
    if (!named.includes(this.tagOf(resource))) throw new PreconditionFailedError();
  }
}

const readPrecondition = createParamDecorator((_data: unknown, context: ExecutionContext): Precondition => {
  const { headers, exchange } = context.switchToHttp().getRequest<Request>();
  const represent = exchange.endpoint?.represent;
  return represent
    ? new Precondition(headers['if-match'], (resource) => entityTag(represent(resource)))
    : Precondition.NONE;
});

/** The {@link Precondition} of the request; the handler responds 412 when it does not hold. */
export function IfMatch(): ParameterDecorator {
  return (target, property, index) => {
    readPrecondition()(target, property, index);
    const name = property as string;
    const handler = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor;
    ApiHeader({
      name: 'If-Match',
      description:
        'Entity tag of the resource as you know it: it is changed only while it still has this tag (RFC 9110).',
      required: false,
    })(target, name, handler);
    ErrorResponse(PreconditionFailedError, 'The resource is not what `If-Match` says.')(
      target,
      name,
      handler,
    );
  };
}
