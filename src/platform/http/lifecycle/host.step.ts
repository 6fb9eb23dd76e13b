import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings';
import { SETTINGS } from '../../config/settings.module';
import { assertAllowedHost } from '../management/allowed-host';
import type { Exchange } from '../exchange/exchange';
import type { Step } from './step';

/**
 * Refuses requests of the management port under a name that the operator has not allowed: a page elsewhere may own the name.
 */
@Injectable()
export class HostStep implements Step {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  run({ listener, request }: Exchange): void {
    if (listener === 'management') assertAllowedHost(request, this.settings);
  }
}
