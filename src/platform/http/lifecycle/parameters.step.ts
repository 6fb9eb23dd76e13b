import { parse } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { readQuery } from '../../values/query-reader';
import type { Step } from './step';

/**
 * Reads the query: strictly where the operation declares its parameters, otherwise as Express does, for pages and probes, which
 * respond whatever is appended to their address.
 */
@Injectable()
export class ParametersStep implements Step {
  run(exchange: Exchange): void {
    const { queryNames, queryLists } = exchange.operation as Operation;
    exchange.parameters = queryNames
      ? readQuery(exchange.query, queryNames, queryLists)
      : parse(exchange.query);
  }
}
