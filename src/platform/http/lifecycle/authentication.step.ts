import { Injectable } from '@nestjs/common';
import type { Principal } from '../../security/principal';
import { RequestAuthenticator } from '../../security/request-authenticator';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Asks the bearer guard who the request comes from. */
@Injectable()
export class AuthenticationStep implements Step {
  constructor(private readonly authenticator: RequestAuthenticator) {}

  appliesTo({ isPublic }: Operation): boolean {
    return !isPublic;
  }

  run(exchange: Exchange): void | Promise<void> {
    const principal = this.authenticator.authenticate(exchange.request);
    if (principal instanceof Promise) return keepPrincipal(exchange, principal);
    exchange.principal = principal;
  }
}

async function keepPrincipal(exchange: Exchange, principal: Promise<Principal>): Promise<void> {
  exchange.principal = await principal;
}
