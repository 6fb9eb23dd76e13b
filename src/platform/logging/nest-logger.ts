import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes Nest's own messages to the process's logger. Those about modules and routes are logged at debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  debug(message: unknown): void {
    this.logger.debug(String(message));
  }

  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    this.logger.error({ details }, String(message));
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.logger.fatal({ details }, String(message));
  }
}
