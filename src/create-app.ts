import { type DynamicModule, type NestApplicationOptions, VersioningType } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { nestOptions } from './nest-options';
import { PetstoreAdapter } from './platform/http/adapter';
import { nameOwnPhases } from './platform/http/observers/own-phases';
import { corsOptions } from './platform/http/cors';
import { attendGateways, attendQueries } from './platform/http/gateways';
import { FrontDoor } from './platform/http/front-door';
import { type NestOptions, refuseGlobalPrefix, refuseOwnOptions } from './platform/http/nest-options';
import { leaveOutRepeatedWork } from './platform/http/idempotency/repetition';
import { OperationRegistry } from './platform/http/operations/operation-registry';
import { SchemaParameters } from './platform/http/operations/schema-parameters';
import { API_VERSION } from './platform/values/operation-path';
import { NestLogger } from './platform/logging/nest-logger';
import type { Features } from './platform/features/feature-modules';
import { ApiDocument } from './platform/openapi/api-document';
import type { PlatformParts } from './platform/platform.module';

/** Makes an application of its root module. */
export type CreateApplication = (
  root: DynamicModule,
  adapter: PetstoreAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

/** Further options of an application. */
export interface AppOptions {
  /** Features; those of `features.ts` unless given. */
  readonly features?: Features | undefined;
  /** Options of Nest; those of `nest-options.ts` unless given. */
  readonly nestOptions?: NestOptions | undefined;
  /** Makes the application; `NestFactory.create()` unless given. Tests replace providers first. */
  readonly create?: CreateApplication | undefined;
}

/**
 * Makes the HTTP application, ready to listen. The service, the tests and the writer of the document all call this, so that
 * they cannot differ.
 *
 * @throws Error when a route does not say who may use it, or an option of Nest is not for the team to set
 */
export async function createApp(
  parts: PlatformParts,
  { features, nestOptions: options = nestOptions, create = createByNest }: AppOptions = {},
): Promise<NestExpressApplication> {
  const { settings } = parts;
  refuseOwnOptions(options);
  const adapter = new PetstoreAdapter(settings);
  const root = AppModule.forRoot(parts, features);
  const app = await create(root, adapter, {
    ...options,
    instrument: {
      instanceDecorator: (made) => nameOwnPhases(options.instrument?.instanceDecorator(made) ?? made),
    },
    logger: new NestLogger(parts.logger),
    abortOnError: false,
    // The lifecycle reads bodies, after it has checked the key.
    bodyParser: false,
  });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: API_VERSION });
  if (settings.corsOrigins.length > 0) app.enableCors(corsOptions(settings.corsOrigins));
  refuseGlobalPrefix(app.get(ApplicationConfig));
  attendGateways(app);
  attendQueries(app, adapter);
  app.get(SchemaParameters).complete();
  leaveOutRepeatedWork(app.get(OperationRegistry).operations);
  app.get(ApiDocument).build(app);
  await app.init();
  app.get(FrontDoor).open();
  return app;
}

const createByNest: CreateApplication = (root, adapter, options) =>
  NestFactory.create<NestExpressApplication>(root, adapter, options);
