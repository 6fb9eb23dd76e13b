import { awaySentence, readWorkers } from '../distribution/workers';
import { readReplicaFacts, type ReplicaFacts } from '../database/replica-facts';
import { probeRedis } from './redis-probe';
import { byteSize } from '../../platform/values/byte-size';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';
import { isServer } from './database.check';

const COLLECTOR_TIMEOUT_MS = 3_000;
/** Bytes that the primary writes in a moment; more is lag. */
const FAR_BEHIND = 16 * 1_048_576;

/** Checks that Redis, which counts requests for all nodes, takes writes. */
export const REDIS: DoctorCheck = {
  name: 'redis',
  limitMs: 10_000,
  async run({ settings: { redisUrl } }) {
    if (redisUrl === undefined) return [];
    const { host } = new URL(redisUrl);
    try {
      return [ok(`Redis ${await probeRedis(redisUrl)} at ${host} accepts writes.`)];
    } catch (error) {
      return [
        fail(
          `Redis at ${host} does not accept writes: ${reasonOf(error)}. Each node counts rate limits by itself.`,
          'Check that Redis runs, that this machine can reach Redis, and that user and password of REDIS_URL are right.',
        ),
      ];
    }
  },
};

/**
 * Checks that each replica follows the primary. If the settings name all servers, one of them is the primary, so one may serve
 * no reads while others do.
 */
export const REPLICAS: DoctorCheck = {
  name: 'replicas',
  limitMs: 15_000,
  async run(context) {
    const { settings } = context;
    if (settings.databaseReplicaUrls.length === 0) return [];
    const primary = await context.database();
    return checkReplicas(await readReplicaFacts(primary, settings, settings.databaseReplicaUrls));
  },
};

/** @param replicas all that the settings name */
export function checkReplicas(replicas: readonly ReplicaFacts[]): Finding[] {
  const say = replicas.some(({ fault }) => fault === undefined) ? warn : fail;
  return replicas.map(({ name, behindBytes = 0, fault }) => {
    if (fault !== undefined) {
      return say(
        `${name} serves no reads; other servers serve them. ${fault}`,
        'Check that the replica runs and follows the primary, unless the replica has become the primary.',
      );
    }
    const found = `${name} is ${byteSize(behindBytes)} behind the primary.`;
    return behindBytes > FAR_BEHIND
      ? warn(
          found,
          'Reads go to the primary until the replica has caught up; see pg_stat_replication of the primary.',
        )
      : ok(found);
  });
}

/** Checks that each worker of Citus answers. */
export const WORKERS: DoctorCheck = {
  name: 'workers',
  limitMs: 10_000,
  async run(context) {
    // Without a database it is unknown whether there are workers; the database has a line of its own.
    const dataSource = await context.database().catch(() => undefined);
    const workers = dataSource && isServer(dataSource) ? await readWorkers(dataSource) : undefined;
    if (!workers || workers.length === 0) return [];
    const away = awaySentence(workers);
    if (away === undefined) return [ok(`All ${workers.length} Citus workers answer.`)];
    return [
      fail(
        away,
        'Requests for rows of the worker get 503; other requests are served. Start the worker, or its standby.',
      ),
    ];
  },
};

/** Checks that the collector takes traces (OpenTelemetry Protocol, OTLP/HTTP). */
export const TRACES: DoctorCheck = {
  name: 'traces',
  limitMs: 2 * COLLECTOR_TIMEOUT_MS,
  async run({ settings: { otelExporterOtlpEndpoint: endpoint } }) {
    if (endpoint === undefined) return [];
    try {
      const { status } = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"resourceSpans":[]}',
        signal: AbortSignal.timeout(COLLECTOR_TIMEOUT_MS),
      });
      if (status < 300) return [ok(`The collector at ${endpoint} accepts traces.`)];
      return [
        warn(
          `The collector at ${endpoint} responds with ${status} to a request without traces.`,
          status === 401 || status === 403
            ? 'The collector needs credentials, which this check does not send. Check that OTEL_EXPORTER_OTLP_HEADERS is set.'
            : 'Check that OTEL_EXPORTER_OTLP_ENDPOINT is the base address, without /v1/traces.',
        ),
      ];
    } catch (error) {
      return [
        fail(
          `The collector at ${endpoint} cannot be reached: ${reasonOf(error)}. Traces are lost.`,
          'Check that the collector runs and accepts OTLP over HTTP, usually on port 4318.',
        ),
      ];
    }
  },
};

/** The message of a driver's error or of its cause, without a full stop. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: deeper } = (cause ?? {}) as { code?: string; message?: string };
  return (deeper || code || message || String(error)).replace(/\.$/, '');
}
