import { Injectable } from '@nestjs/common';
import { covers, type Principal } from '../../security/principal';
import { RequestAuthenticator } from '../../security/request-authenticator';
import { insufficientScope } from '../../security/security-errors';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Refuses keys whose scopes do not cover the operation; counts its use by the others. */
@Injectable()
export class ScopeStep implements Step {
  constructor(private readonly authenticator: RequestAuthenticator) {}

  appliesTo({ isPublic }: Operation): boolean {
    return !isPublic;
  }

  run(exchange: Exchange): void {
    const { listener, id, scopes } = exchange.operation as Operation;
    const principal = exchange.principal as Principal;
    if (!covers(principal, scopes)) throw insufficientScope(scopes);
    if (listener === 'public') this.authenticator.countUse(principal.keyId, id);
  }
}
