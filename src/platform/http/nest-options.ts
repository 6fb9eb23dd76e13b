import type { NestApplicationOptions } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/** Options of `NestFactory.create()` that are the team's to give; the others are this service's own. */
export type NestOptions = Omit<NestApplicationOptions, keyof typeof REMEDIES>;

/** Replacements of options, as half sentences. */
const REMEDIES = {
  abortOnError: 'a start that fails says why in one sentence',
  autoFlushLogs: 'the log is written at once',
  bodyParser: 'a body is read once its key has been judged',
  bufferLogs: 'the log is written at once',
  cors: 'set CORS_ORIGINS',
  forceCloseConnections: 'a stop ends every connection after the requests under way',
  forceConsole: 'the log is that of LOG_LEVEL',
  httpsOptions: 'let a proxy in front end TLS, and name it in TRUST_PROXY',
  logger: 'the log is that of LOG_LEVEL',
  preview: 'a service that makes nothing serves nothing',
  rawBody: 'take @RawBody() in the handler that needs the bytes',
  return503OnClosing: 'requests that come while the service stops get 503 already',
} as const satisfies Partial<Record<keyof NestApplicationOptions, string>>;

/**
 * Refuses the options of Nest that are the service's own, which JavaScript or a cast lets through.
 *
 * @throws Error naming one of them, and its replacement
 */
export function refuseOwnOptions(options: NestOptions): void {
  for (const [name, remedy] of Object.entries(REMEDIES)) {
    if (!Object.hasOwn(options, name)) continue;
    throw new Error(`src/nest-options.ts sets ${name}, which the service sets itself: ${remedy}.`);
  }
}

/**
 * Refuses `setGlobalPrefix()`.
 *
 * @throws Error saying where prefixes stand
 */
export function refuseGlobalPrefix(config: ApplicationConfig): void {
  const prefix: unknown = config.getGlobalPrefix();
  if (prefix === '') return;
  throw new Error(
    `setGlobalPrefix(${JSON.stringify(prefix)}) would move paths that clients know: leave it out, and write prefixes in @Controller().`,
  );
}
