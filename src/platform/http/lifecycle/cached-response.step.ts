import { Injectable } from '@nestjs/common';
import { ResponseWriter } from '../response/response-writer';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Responds with the bytes that an equal request got before, while they still hold. */
@Injectable()
export class CachedResponseStep implements Step {
  constructor(private readonly writer: ResponseWriter) {}

  appliesTo({ isCached }: Operation): boolean {
    return isCached;
  }

  run(exchange: Exchange): void {
    this.writer.repeat(exchange);
  }
}
