import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { buildCommit, packageVersion } from '../config/package-version';
import { countDroppedLines } from './dropped-lines';

/** The longest interval of a Node timer, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1;

let statistics: Registry | undefined;

/**
 * Adds Node's metrics of this process, and the name of the build that runs in it. Begun once in a process: it watches the event
 * loop and the garbage collector, and cannot be stopped.
 */
export function addProcessStatistics(registry: Registry): void {
  statistics ??= collect();
  for (const metric of statistics.getMetricsAsArray()) {
    const { name } = metric;
    registry.registerMetric(statistics.getSingleMetric(name) as Gauge);
  }
}

function collect(): Registry {
  const register = new Registry();
  // The use of the event loop is left out: measuring it would wake the process ten times a second.
  collectDefaultMetrics({ register, eventLoopUtilizationTimeout: NEVER_MS });
  register.removeSingleMetric('nodejs_eventloop_utilization_summary');
  register.removeSingleMetric('nodejs_eventloop_utilization_histogram');
  countDroppedLines(register);
  const commit = buildCommit();
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1; its labels describe the build.',
    labelNames: ['version', 'commit', 'node_version'],
    registers: [register],
  }).set({ version: packageVersion(), ...(commit && { commit }), node_version: process.version }, 1);
  return register;
}
