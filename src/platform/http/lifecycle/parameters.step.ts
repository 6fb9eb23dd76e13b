import { parse } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange';
import { readQuery } from '../query-reader';
import type { Step } from './step';

/**
 * Reads the query: strictly where the operation says which parameters it knows, as Express does where it does not, such as
 * pages and probes, which respond whatever is appended to their address.
 */
@Injectable()
export class ParametersStep implements Step {
  run(exchange: Exchange): void {
    const names = exchange.operation?.queryNames;
    exchange.parameters = names ? readQuery(exchange.query, names) : parse(exchange.query);
  }
}
