import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestOf } from '../tracing/request-of';
import type { Principal } from './principal';

/** Reads the client of a request or a message; undefined of public ones. */
export function readCaller(_data: unknown, context: ExecutionContext): Principal | undefined {
  return (requestOf(context) as Partial<Request> | undefined)?.exchange?.principal;
}

/** Gives a handler the {@link Principal} that calls it; undefined on public operations. */
export const Caller = createParamDecorator(readCaller);
