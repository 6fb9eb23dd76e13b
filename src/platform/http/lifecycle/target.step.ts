import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import { readTarget } from '../request/request-target';
import type { Step } from './step';

/** Reads the path and the query of the request target. */
@Injectable()
export class TargetStep implements Step {
  run(exchange: Exchange): void {
    const { path, query } = readTarget(exchange.request);
    exchange.path = path;
    exchange.query = query;
  }
}
