import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from './principal';

/** Reads the client of a request; undefined on public operations. */
export function readCaller(_data: unknown, context: ExecutionContext): Principal | undefined {
  return context.switchToHttp().getRequest<Request>().exchange.principal;
}

/** Gives a handler the {@link Principal} that calls it; undefined on public operations. */
export const Caller = createParamDecorator(readCaller);
