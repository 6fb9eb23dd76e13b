import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Contexts in which Nest reports modules and routes as it starts. */
const OF_THE_START: ReadonlySet<string | undefined> = new Set([
  'GraphQLModule',
  'InstanceLoader',
  'MiddlewareModule',
  'NestApplication',
  'NestApplicationContext',
  'NestFactory',
  'NestMicroservice',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);

/** A stack as V8 writes it. */
const STACK = /\n[ \t]+at .+:\d+:\d+/;

/**
 * Writes what Nest and modules log through Nest's `Logger` to the process's logger, with its context and parameters. What Nest
 * logs of its own start is at debug.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...parameters: unknown[]): void {
    const { context } = split(parameters);
    this.write(OF_THE_START.has(context) ? 'debug' : 'info', message, parameters);
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.write('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: unknown[]): void {
    this.write('trace', message, parameters);
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.write('warn', message, parameters);
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.write('error', message, parameters);
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.write('fatal', message, parameters);
  }

  private write(level: Level, message: unknown, parameters: readonly unknown[]): void {
    const { context, stack, details } = split(parameters);
    const err = [message, ...details].find((one) => one instanceof Error);
    const isText = typeof message === 'string';
    const others = (isText ? details : [message, ...details]).filter((one) => one !== err);
    const members = { context, err, stack, details: others.length > 0 ? others : undefined };
    const text = isText ? message : err?.message;
    this.logger[level](
      Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
      text,
    );
  }
}

/** Tells parameters apart as Nest's own logger does: the last text is the context, one with the lines of a stack is that. */
function split(parameters: readonly unknown[]) {
  const given = parameters.filter((one) => one !== undefined);
  const stack = given.find((one) => typeof one === 'string' && STACK.test(one));
  const others = given.filter((one) => one !== stack);
  const last = others.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  return { context, stack, details: context === undefined ? others : others.slice(0, -1) };
}
