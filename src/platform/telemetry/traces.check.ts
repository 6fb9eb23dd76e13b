import type { Settings } from '../config/settings';
import { type Check, degraded, failed, ok } from '../health/check';
import { reasonOf } from '../health/reason-of';

const COLLECTOR_TIMEOUT_MS = 3_000;

/** Checks that the collector takes traces (OpenTelemetry Protocol, OTLP/HTTP). */
export const TRACES: Check<{ readonly settings: Settings }> = {
  name: 'traces',
  needs: 'settings',
  limitMs: 2 * COLLECTOR_TIMEOUT_MS,
  async check({ settings: { otelExporterOtlpEndpoint: endpoint } }) {
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
        degraded(
          `The collector at ${endpoint} responds with ${status} to a request without traces.`,
          status === 401 || status === 403
            ? 'The collector needs credentials, which this check does not send. Check that OTEL_EXPORTER_OTLP_HEADERS is set.'
            : 'Check that OTEL_EXPORTER_OTLP_ENDPOINT is the base address, without /v1/traces.',
        ),
      ];
    } catch (error) {
      return [
        failed(
          `The collector at ${endpoint} cannot be reached: ${reasonOf(error)}. Traces are lost.`,
          'Check that the collector runs and accepts OTLP over HTTP, usually on port 4318.',
        ),
      ];
    }
  },
};
