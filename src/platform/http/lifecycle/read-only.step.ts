import { Injectable } from '@nestjs/common';
import { ReadOnlyMode } from '../../read-only/read-only-mode';
import type { Exchange } from '../exchange/exchange';
import { isSafe, type Operation } from '../operations/operation';
import type { Step } from './step';

/** Refuses requests that change something, by their method, while the service is read-only. */
@Injectable()
export class ReadOnlyStep implements Step {
  constructor(private readonly mode: ReadOnlyMode) {}

  /** Leaves out the management port, where operators sign in meanwhile; their changes are refused where they are recorded. */
  appliesTo(operation: Operation): boolean {
    return operation.listener === 'public' && !isSafe(operation);
  }

  run({ outcome }: Exchange): void {
    // A repetition changes nothing.
    if (!outcome) this.mode.assertWritable();
  }
}
