import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { LoadRunner } from './admin/remote/remote-commands.service';
import { AppModule } from './app.module';
import { type NestOptions, nestOptions } from './nest-options';
import { PetstoreAdapter } from './platform/http/adapter';
import { corsOptions } from './platform/http/cors';
import { FrontDoor } from './platform/http/front-door';
import { SchemaParameters } from './platform/http/operations/schema-parameters';
import { API_VERSION } from './platform/values/operation-path';
import { NestLogger } from './platform/logging/nest-logger';
import type { Features } from './platform/features/feature-modules';
import { ApiDocument } from './platform/openapi/api-document';
import type { PlatformParts } from './platform/platform.module';

/**
 * The HTTP application, ready to listen. The service, the tests and the writer of the document all call this, so that
 * they cannot differ.
 *
 * @param features those of `features.ts` unless given
 * @param loadRunner what runs the commands of people at other machines; without it none are taken
 * @param options those of `nest-options.ts` unless given
 * @throws Error when a route does not say who may use it
 */
export async function createApp(
  parts: PlatformParts,
  features?: Features,
  loadRunner?: LoadRunner,
  options: NestOptions = nestOptions,
): Promise<NestExpressApplication> {
  const { settings } = parts;
  const adapter = new PetstoreAdapter(settings);
  const root = AppModule.forRoot(parts, features, loadRunner);
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    ...options,
    logger: new NestLogger(parts.logger),
    abortOnError: false,
    // The lifecycle reads bodies, once the key has been judged.
    bodyParser: false,
  });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: API_VERSION });
  if (settings.corsOrigins.length > 0) app.enableCors(corsOptions(settings.corsOrigins));
  app.get(SchemaParameters).complete();
  app.get(ApiDocument).build(app);
  await app.init();
  app.get(FrontDoor).open();
  return app;
}
