import { Inject, Module } from '@nestjs/common';
import type { Logger as PinoLogger } from 'pino';
import { FaultLog } from './fault-log';

/** The structured logger of the process. */
export type Logger = PinoLogger;

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

/** Injects the logger into a constructor parameter or a property. */
export function InjectLogger(): PropertyDecorator & ParameterDecorator {
  return Inject(LOGGER);
}

/** The log of faults that come in great number; every module has the logger itself. */
@Module({
  providers: [{ provide: FaultLog, useFactory: (logger: Logger) => new FaultLog(logger), inject: [LOGGER] }],
  exports: [FaultLog],
})
export class LoggingModule {}
