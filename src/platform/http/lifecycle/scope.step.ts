import { Injectable } from '@nestjs/common';
import { covers, type Principal } from '../../security/principal';
import { insufficientScope } from '../../security/security-errors';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { OperationUses } from '../operations/operation-uses';
import type { Step } from './step';

/** Refuses keys whose scopes do not cover the operation; counts its use by the others. */
@Injectable()
export class ScopeStep implements Step {
  constructor(private readonly uses: OperationUses) {}

  appliesTo({ isPublic }: Operation): boolean {
    return !isPublic;
  }

  run(exchange: Exchange): void {
    const { listener, id, scopes } = exchange.operation as Operation;
    const principal = exchange.principal as Principal;
    if (!covers(principal, scopes)) throw insufficientScope(scopes);
    if (listener === 'public') this.uses.count(principal.keyId, id);
  }
}
