import { TOOLING } from '../../../src/tooling';

/** Every metric of the service's own with its type, its labels, and their values where those are listed. */
export const OWN_METRICS: Record<string, [type: string, labels: Record<string, readonly string[] | RegExp>]> =
  {
    http_server_request_duration_seconds: [
      'histogram',
      {
        http_request_method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE', '_OTHER'],
        http_route: /^(\/[\w./{}-]*)?$/,
        http_response_status_code: /^(\d{3})?$/,
        le: /^(\d+(\.\d+)?|\+Inf)$/,
      },
    ],
    http_server_active_requests: ['gauge', {}],
    db_client_connection_count: [
      'gauge',
      {
        db_client_connection_pool_name: /^(primary|scans|replica-\d+)$/,
        db_client_connection_state: ['idle', 'used'],
      },
    ],
    db_client_connection_max: ['gauge', { db_client_connection_pool_name: /^(primary|scans|replica-\d+)$/ }],
    db_client_connection_pending_requests: [
      'gauge',
      { db_client_connection_pool_name: /^(primary|scans|replica-\d+)$/ },
    ],
    petstore_requests_shed_total: ['counter', { reason: ['database', 'connections'] }],
    petstore_key_verifications_total: [
      'counter',
      {
        result: [
          'accepted',
          'address_not_allowed',
          'disabled',
          'expired',
          'malformed',
          'missing',
          'revoked',
          'unknown',
        ],
      },
    ],
    petstore_key_policy_total: ['counter', { action: ['expiry_set', 'idle_disabled', 'idle_notice'] }],
    petstore_rate_limited_total: ['counter', { policy: /^[a-z][a-z0-9-]*$/ }],
    petstore_idempotent_requests_total: [
      'counter',
      { outcome: ['failed', 'first', 'in_progress', 'replayed', 'reused'] },
    ],
    petstore_event_deliveries_total: ['counter', { outcome: ['delivered', 'retried', 'failed'] }],
    petstore_stored_events: ['gauge', { state: ['waiting', 'failed'] }],
    petstore_job_runs: ['gauge', { state: ['waiting', 'failed'] }],
    petstore_deprecated_operation_uses_total: ['counter', { operation: /^[a-z]\w*$/i }],
    petstore_request_wait_seconds: ['histogram', { le: /^(\d+(\.\d+)?|\+Inf)$/ }],
    petstore_cache_lookups_total: ['counter', { cache: ['answers', 'keys'], result: ['hit', 'miss'] }],
    petstore_unread_connections_cut_total: ['counter', { reason: ['room', 'stalled'] }],
    petstore_unread_response_bytes: ['gauge', {}],
    petstore_request_log_dropped_total: ['counter', { reason: ['backlog', 'rate'] }],
    petstore_replica_reads_total: ['counter', { result: ['primary', 'replica'] }],
    petstore_log_lines_dropped_total: ['counter', {}],
    petstore_read_only: ['gauge', {}],
    petstore_synchronous_standbys: ['gauge', {}],
    petstore_last_backup_timestamp_seconds: ['gauge', {}],
    ...(TOOLING.length > 0 && { petstore_last_restore_timestamp_seconds: ['gauge', {}] as const }),
    petstore_database_disk_free_bytes: ['gauge', {}],
    petstore_database_disk_size_bytes: ['gauge', {}],
    petstore_ready: ['gauge', {}],
    petstore_saturated: ['gauge', {}],
    petstore_build_info: [
      'gauge',
      {
        version: /^\d+\.\d+\.\d+$/,
        commit: /^[0-9a-f]{7,64}(-dirty)?$/,
        node_version: /^v\d+\.\d+\.\d+$/,
      },
    ],
  };

/** Some of what the Prometheus client tells of a process. */
export const PROCESS_METRICS = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  'nodejs_eventloop_lag_seconds',
  'nodejs_gc_duration_seconds',
  'nodejs_heap_size_used_bytes',
  'nodejs_version_info',
];
