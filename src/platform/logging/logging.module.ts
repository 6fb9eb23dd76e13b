import { type DynamicModule, Inject, Module } from '@nestjs/common';
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

/** Offers one logger, created before Nest started, to every module. */
@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: FaultLog, useFactory: () => new FaultLog(logger) },
      ],
      exports: [FaultLog, LOGGER],
    };
  }
}
