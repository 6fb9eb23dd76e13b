import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotAcceptableError } from '../../errors/http-errors';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

const OFFERED = ['application/json', 'application/json; charset=utf-8'];

/** Refuses requests of clients that do not take JSON, where the operation responds with nothing else. */
@Injectable()
export class AcceptStep implements Step {
  appliesTo({ response }: Operation): boolean {
    return response !== undefined;
  }

  run({ request }: Exchange): void {
    assertAcceptsJson(request);
  }
}

/**
 * Checks that the client accepts JSON (RFC 9110, section 12.5.1).
 *
 * @throws NotAcceptableError
 */
export function assertAcceptsJson(request: Request): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return;
  if (!request.accepts(OFFERED)) throw new NotAcceptableError();
}
