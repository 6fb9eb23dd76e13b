import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange';
import type { Operation } from '../operation';
import { readQuery } from '../query-reader';
import type { Step } from './step';

/** Reads the query strictly. */
@Injectable()
export class ParametersStep implements Step {
  appliesTo({ answer }: Operation): boolean {
    return answer !== undefined;
  }

  run(exchange: Exchange): void {
    const { parameterNames } = exchange.operation as Operation;
    exchange.parameters = readQuery(exchange.query, parameterNames);
  }
}
