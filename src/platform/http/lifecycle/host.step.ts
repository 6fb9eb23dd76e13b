import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings';
import { SETTINGS } from '../../config/settings.module';
import { assertAllowedHost, isOfEncryptedConsole } from '../management/allowed-host';
import type { Exchange } from '../exchange/exchange';
import type { Step } from './step';

/**
 * Refuses requests of the management port under a name that the operator has not allowed: a page elsewhere may own the name.
 * Notes which are of the console at its own HTTPS address.
 */
@Injectable()
export class HostStep implements Step {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  run(exchange: Exchange): void {
    const { listener, request } = exchange;
    if (listener !== 'management') return;
    assertAllowedHost(request, this.settings);
    exchange.isOfEncryptedConsole = isOfEncryptedConsole(request, this.settings);
  }
}
