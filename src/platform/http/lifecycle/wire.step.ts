import { Injectable } from '@nestjs/common';
import { wireFault } from '../connections/wire-errors';
import type { Exchange } from '../exchange/exchange';
import type { Step } from './step';

/** Refuses requests that Node's parser lets pass and HTTP does not allow. */
@Injectable()
export class WireStep implements Step {
  run({ request }: Exchange): void {
    const fault = wireFault(request);
    if (fault) throw fault;
  }
}
