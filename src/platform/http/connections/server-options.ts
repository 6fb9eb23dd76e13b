import type { ServerOptions } from 'node:http';

/** Time limits for a request to arrive, in milliseconds from its first byte. */
export interface ArrivalTimeouts {
  /** Time until the end of the header section. */
  readonly headersMs: number;
  /** Time until the end of the body. Not less than `headersMs`. */
  readonly requestMs: number;
}

/** Options of `http.createServer` which `attachWireErrors` and `wireFault` count on. */
export function serverOptions({ headersMs, requestMs }: ArrivalTimeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // Node looks for late requests this often; its default of 30 s would make 10 s mean up to 40 s.
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(headersMs / 4)),
    maxHeaderSize: 16 * 1024,
    // Node's own response to a missing Host has no body; wireFault responds instead.
    requireHostHeader: false,
    // Not left to NODE_OPTIONS: a lenient parser lets request smuggling through.
    insecureHTTPParser: false,
    // No events of a body that is not there: they were a twentieth of what a get costs. FrontDoor reports the end of the request.
    optimizeEmptyRequests: true,
  };
}
