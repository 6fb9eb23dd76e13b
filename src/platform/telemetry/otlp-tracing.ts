import type { IncomingMessage } from 'node:http';
import {
  createTraceState,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import pTimeout from 'p-timeout';
import { AppError } from '../errors/app-error';
import type { Logger } from '../logging/logging.module';
import { packageVersion } from '../config/package-version';
import { knownMethod, OTHER_METHOD } from './request-metrics';
import type { ParentSpan } from '../tracing/traceparent';
import type { RequestSpan, Span, SpanAttributes, Tracing } from '../tracing/tracing';

/** Milliseconds that the end of the process waits for the collector. */
const CLOSE_MS = 2_000;

/**
 * Records spans with OpenTelemetry's SDK and sends them in batches over OTLP/HTTP. Only imported when there is a collector:
 * the SDK takes time and memory.
 *
 * @param endpoint base address of the collector, without `/v1/traces`
 */
export function openOtlpTracing(endpoint: string, logger: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME takes precedence over OTEL_RESOURCE_ATTRIBUTES, and that over the attributes set here.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'petstore', 'service.version': packageVersion() }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: saying(exporter, logger) })],
  });
  const tracer = provider.getTracer('petstore');
  return {
    begin: (request, parent) => beginRequest(tracer, request, parent),
    close: async () => {
      const flushed = provider.shutdown().catch(() => undefined);
      await pTimeout(flushed, { milliseconds: CLOSE_MS, message: false });
    },
  };
}

/** Wraps an exporter so that it logs once that the collector cannot be reached, and once that it can again. */
function saying(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isSending = true;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (isSending && error) {
          logger.warn(
            { reason: error.message },
            'The collector does not accept traces; they are lost until it does.',
          );
        } else if (!isSending && !error) {
          logger.info('The collector accepts traces again.');
        }
        isSending = !error;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function beginRequest(tracer: Tracer, request: IncomingMessage, parent: ParentSpan | undefined): RequestSpan {
  const method = knownMethod(request.method ?? '');
  const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent, request.headers.tracestate))
    : ROOT_CONTEXT;
  return new OtlpSpan(
    tracer,
    tracer.startSpan(nameOf(method), { kind: SpanKind.SERVER, attributes }, context),
  );
}

function contextOf(
  { traceId, spanId, isSampled }: ParentSpan,
  state: string | string[] | undefined,
): SpanContext {
  // The replacement is in a package we do not depend on.
  // oxlint-disable-next-line typescript/no-deprecated
  const traceState = typeof state === 'string' ? createTraceState(state) : undefined;
  return {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(traceState && { traceState }),
  };
}

class OtlpSpan implements RequestSpan {
  constructor(
    private readonly tracer: Tracer,
    private readonly span: OtelSpan,
  ) {}

  get id(): string {
    return this.span.spanContext().spanId;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  child(name: string, attributes: SpanAttributes): Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.span);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context);
    return new OtlpSpan(this.tracer, span);
  }

  end(error?: unknown): void {
    if (error !== undefined) this.fail(typeOf(error));
    this.span.end();
  }

  responded(method: string, route: string | undefined, status: number | undefined): void {
    this.span.updateName(nameOf(knownMethod(method), route));
    if (route !== undefined) this.span.setAttribute('http.route', route);
    if (status !== undefined) this.span.setAttribute('http.response.status_code', status);
    if (status !== undefined && status >= 500) this.fail(String(status));
    this.span.end();
  }

  /** Marks a failure. Never records the message of an error: it may hold values that a client sent. */
  private fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** Returns the name that OpenTelemetry's conventions for HTTP want, for unknown methods too. */
function nameOf(method: string, route?: string): string {
  const name = method === OTHER_METHOD ? 'HTTP' : method;
  return route === undefined ? name : `${name} ${route}`;
}
