import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { ResponseWriter } from '../response/response-writer';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import type { Step } from './step';
import { TeamParts } from './team-parts';

/** Responds with the bytes that an equal request got before, while they still hold. */
@Injectable()
export class CachedResponseStep implements Step {
  constructor(
    private readonly writer: ResponseWriter,
    private readonly parts: TeamParts,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Leaves out operations whose response may depend on more than their address, their caller and the database. */
  appliesTo(operation: Operation): boolean {
    if (!operation.isCached) return false;
    const parts = this.parts.of(operation);
    if (parts.length === 0) return true;
    const { method, path, handlerName } = operation;
    this.logger.info(
      `Responses of ${method} ${path} (${handlerName}) are not cached, because of ${parts.join(', ')}.`,
    );
    return false;
  }

  run(exchange: Exchange): void {
    this.writer.repeat(exchange);
  }
}
