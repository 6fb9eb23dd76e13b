import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP/HTTP carries it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** 2 is of a server, 3 of a client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 is an error. */
  readonly statusCode: number;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'statusCode'> {
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** An OpenTelemetry collector that takes traces over OTLP/HTTP in JSON, and keeps them. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** Everything received, as it came. */
  received = '';
  /** What is said of the service that sent the last. */
  resource: Readonly<Record<string, unknown>> = {};
  /** How many requests it was sent. */
  requests = 0;
  /** What it answers; undefined for never. */
  status: number | undefined = 200;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.respond(request, response));
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await once(collector.server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.requests += 1;
    if (this.status === undefined) return;
    if (this.status === 200) this.take(request.url, body);
    response.writeHead(this.status, { 'Content-Type': 'application/json' }).end('{}');
  }

  private take(path: string | undefined, body: string): void {
    if (path !== '/v1/traces') throw new Error(`Traces were sent to ${path}.`);
    this.received += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpTraces).resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { attributes, status, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: valuesOf(attributes), statusCode: status.code ?? 0 });
      }
    }
  }
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
