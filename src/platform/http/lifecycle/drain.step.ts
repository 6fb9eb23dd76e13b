import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import { isLate } from '../connections/open-connections';
import { stoppingError } from '../service-state';
import type { Step } from './step';

/** Refuses requests that arrive while their listener drains. */
@Injectable()
export class DrainStep implements Step {
  run({ request }: Exchange): void {
    if (isLate(request)) throw stoppingError();
  }
}
