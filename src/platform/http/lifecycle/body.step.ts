import { Injectable } from '@nestjs/common';
import { receiveBody } from '../body-reader';
import type { Exchange } from '../exchange';
import { readJson } from '../json-reader';
import type { Operation } from '../operation';
import type { Step } from './step';

/** Receives the body and reads it as JSON. */
@Injectable()
export class BodyStep implements Step {
  appliesTo({ hasBody }: Operation): boolean {
    return hasBody;
  }

  async run(exchange: Exchange): Promise<void> {
    const bytes = await receiveBody(exchange.request, exchange.response);
    exchange.request.body = readJson(bytes);
    if (exchange.operation?.isIdempotent) exchange.bodyBytes = bytes;
  }
}
