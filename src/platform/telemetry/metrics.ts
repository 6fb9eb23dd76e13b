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
    'What the policy of API keys did to keys: an end given to one that would live too long, notice to one that is not used, and disabled.',
    byLabel('action', ['expiry_set', 'idle_notice', 'idle_disabled']),
  );

  readonly rateLimited = new Counter({
    name: 'petstore_rate_limited_total',
    help: 'Requests refused with 429, by policy.',
    labelNames: ['policy'],
    registers: [this.registry],
  });

  readonly requestsShed = new Counter({
    name: 'petstore_requests_shed_total',
    help: 'Requests refused with 503 because they would have waited too long for the database.',
    registers: [this.registry],
  });

  /** Registered only where there is a store. */
  readonly rateLimitStoreUp = new Gauge({
    name: 'petstore_rate_limit_store_up',
    help: 'Whether the Redis that all nodes count rate limits in can be used (1) or each node counts for itself (0).',
    aggregator: 'min',
    registers: [],
  });

  readonly idempotentRequests = new SeriesCounter(
    this.registry,
    'petstore_idempotent_requests_total',
    'Requests with an Idempotency-Key, by outcome: done for the first time, replayed, refused for one of two reasons, or failed without a trace.',
    byLabel('outcome', ['first', 'replayed', 'in_progress', 'reused', 'failed']),
  );

  readonly cacheLookups = new SeriesCounter(
    this.registry,
    'petstore_cache_lookups_total',
    'Lookups in the caches of this process: what is known of API keys, and responses that may be given again.',
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
    'Connections cut because their clients did not read: for too long, or when others needed the memory.',
    byLabel('reason', ['stalled', 'room']),
  );

  readonly requestLogDropped = new SeriesCounter(
    this.registry,
    'petstore_request_log_dropped_total',
    'Requests that belong in the request log and are not there: more than are kept of a second, or than wait for the database.',
    byLabel('reason', ['rate', 'backlog']),
  );

  readonly replicaReads = new SeriesCounter(
    this.registry,
    'petstore_replica_reads_total',
    'Reads that replicas may serve, by who served them; none where no replica is configured.',
    byLabel('result', ['replica', 'primary']),
  );
}
