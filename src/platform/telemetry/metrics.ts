import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { RequestMetrics } from './request-metrics';
import { byLabel, SeriesCounter } from './series-counter';

/**
 * Everything the service counts, with the names of OpenTelemetry's semantic conventions, where there are any, as Prometheus
 * writes them. Labels have few values by construction: never a key, an id or a text of a client's.
 *
 * Values that are read at a scrape, such as those of a pool, are registered by the class that knows them.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new RequestMetrics(this.registry);

  readonly keyVerifications = new SeriesCounter(
    this.registry,
    'petstore_key_verifications_total',
    'API keys judged, by result.',
    byLabel('result', [
      'accepted',
      'missing',
      'malformed',
      'unknown',
      'disabled',
      'revoked',
      'expired',
      'address_not_allowed',
    ]),
  );

  readonly keyPolicy = new SeriesCounter(
    this.registry,
    'petstore_key_policy_total',
    'Actions of the API key policy: expiry set for a key that would live too long, warning about an unused key, and unused key disabled.',
    byLabel('action', ['expiry_set', 'idle_notice', 'idle_disabled']),
  );

  readonly rateLimited = new Counter({
    name: 'petstore_rate_limited_total',
    help: 'Requests refused with 429, by policy.',
    labelNames: ['policy'],
    registers: [this.registry],
  });

  readonly requestsShed = new SeriesCounter(
    this.registry,
    'petstore_requests_shed_total',
    'Requests refused with 503 because they would have waited too long for the database, and connections closed because MAX_CONNECTIONS were open, by reason.',
    byLabel('reason', ['database', 'connections']),
  );

  /** Registered only where there is a store. */
  readonly rateLimitStoreUp = new Gauge({
    name: 'petstore_rate_limit_store_up',
    help: 'Whether rate limits are counted in Redis for all nodes (1) or by each node for itself (0).',
    registers: [],
  });

  readonly idempotentRequests = new SeriesCounter(
    this.registry,
    'petstore_idempotent_requests_total',
    'Requests with an Idempotency-Key, by outcome: done for the first time, replayed, refused for one of two reasons, or failed without being stored.',
    byLabel('outcome', ['first', 'replayed', 'in_progress', 'reused', 'failed']),
  );

  readonly cacheLookups = new SeriesCounter(
    this.registry,
    'petstore_cache_lookups_total',
    'Lookups in the caches of this process: of API keys and of repeatable responses.',
    {
      keysHit: { cache: 'keys', result: 'hit' },
      keysMiss: { cache: 'keys', result: 'miss' },
      responsesHit: { cache: 'answers', result: 'hit' },
      responsesMiss: { cache: 'answers', result: 'miss' },
    },
  );

  readonly unreadConnectionsCut = new SeriesCounter(
    this.registry,
    'petstore_unread_connections_cut_total',
    'Connections cut because their clients did not read, for too long or while others needed the memory.',
    byLabel('reason', ['stalled', 'room']),
  );

  readonly requestLogDropped = new SeriesCounter(
    this.registry,
    'petstore_request_log_dropped_total',
    'Requests missing from the request log: beyond the limit per second, or beyond the limit of requests waiting for the database.',
    byLabel('reason', ['rate', 'backlog']),
  );

  readonly replicaReads = new SeriesCounter(
    this.registry,
    'petstore_replica_reads_total',
    'Reads that replicas may serve, by the server that served them; no value without replicas.',
    byLabel('result', ['replica', 'primary']),
  );
}
