import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds: those of OpenTelemetry's HTTP conventions, and two below, where most answers are. */
const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/**
 * Everything the service counts, with the names of OpenTelemetry's semantic conventions as Prometheus writes them where
 * there are any. Labels have few values by construction: never a key, an id or a text of a client's.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requestDuration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests, from the end of the header section to the last byte handed to the system.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });

  readonly activeRequests = new Gauge({
    name: 'http_server_active_requests',
    help: 'HTTP requests under way.',
    registers: [this.registry],
  });

  readonly keyVerifications = new Counter({
    name: 'petstore_key_verifications_total',
    help: 'API keys judged, by result: accepted, missing, malformed, unknown, revoked or expired.',
    labelNames: ['result'],
    registers: [this.registry],
  });

  readonly rateLimited = new Counter({
    name: 'petstore_rate_limited_total',
    help: 'Requests answered 429, by policy.',
    labelNames: ['policy'],
    registers: [this.registry],
  });

  /** Registered only where there is a store. */
  readonly rateLimitStoreUp = new Gauge({
    name: 'petstore_rate_limit_store_up',
    help: 'Whether the Redis that all nodes count rate limits in can be used (1) or each node counts for itself (0).',
    aggregator: 'min',
    registers: [],
  });

  readonly idempotentRequests = new Counter({
    name: 'petstore_idempotent_requests_total',
    help: 'Requests with an Idempotency-Key, by outcome: first, replayed, in_progress or reused.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly deprecatedUses = new Counter({
    name: 'petstore_deprecated_operation_uses_total',
    help: 'Uses of deprecated operations.',
    labelNames: ['operation'],
    registers: [this.registry],
  });

  readonly cacheLookups = new Counter({
    name: 'petstore_cache_lookups_total',
    help: 'Lookups in the caches of this process, by cache (keys, answers) and result (hit, miss).',
    labelNames: ['cache', 'result'],
    registers: [this.registry],
  });
}
