import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { ErrorFilter } from './platform/errors/error.filter';
import { AnswerWriter } from './platform/http/answer-writer';
import { corsOptions } from './platform/http/cors';
import { API_VERSION } from './platform/http/operation-path';
import { OperationRegistry } from './platform/http/operation-registry';
import { PetstoreAdapter } from './platform/http/petstore.adapter';
import { RequestPath } from './platform/http/request-path';
import { UnreadResponses } from './platform/http/unread-responses';
import { NestLogger } from './platform/logging/nest-logger';
import { ApiDocument } from './platform/openapi/api-document';
import type { PlatformParts } from './platform/platform.module';
import { ManagementTelemetry } from './platform/telemetry/management-telemetry';
import { RequestTelemetry } from './platform/telemetry/request-telemetry';
import { DtoPipe } from './platform/validation/dto.pipe';

/**
 * The HTTP application, ready to listen. The service, the tests and the writer of the document all call this, so that
 * they cannot differ.
 *
 * @throws Error when a route does not say who may use it
 */
export async function createApp(parts: PlatformParts): Promise<NestExpressApplication> {
  const { otelExporterOtlpEndpoint: endpoint } = parts.settings;
  const { headersTimeoutMs: headersMs, requestTimeoutMs: requestMs, corsOrigins } = parts.settings;
  const adapter = new PetstoreAdapter({ headersMs, requestMs }, parts.settings.trustProxy);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), adapter, {
    logger: new NestLogger(parts.logger),
    abortOnError: false,
    // Bodies are read after the key has been judged, by the request path.
    bodyParser: false,
  });

  app.enableVersioning({ type: VersioningType.URI, defaultVersion: API_VERSION });
  if (corsOrigins.length > 0) app.enableCors(corsOptions(corsOrigins));
  const requestPath = app.get(RequestPath);
  for (const listener of ['public', 'management'] as const) {
    adapter.allowAnywhere(listener, requestPath.allowAnywhere(listener));
  }
  const telemetry = app.get(RequestTelemetry);
  if (endpoint) {
    const { openTracing } = await import('./platform/telemetry/otlp-tracing.js');
    telemetry.traceWith(openTracing(endpoint, parts.logger));
  }
  adapter.observeWith({ public: telemetry, management: app.get(ManagementTelemetry) });
  adapter.limitUnread(app.get(UnreadResponses));
  app.use(requestPath.middleware);
  app.useGlobalPipes(new DtoPipe());
  app.useGlobalFilters(app.get(ErrorFilter));

  const answers = app.get(AnswerWriter);
  answers.compile(app.get(OperationRegistry).operations, app.get(ApiDocument).build(app));
  adapter.answerWith(answers);
  return app.init();
}
