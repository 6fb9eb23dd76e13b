import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { packageVersion } from '../config/package-version';
import { countDroppedLines } from './dropped-lines';

let figures: Registry | undefined;

/**
 * Adds what Node knows of this process, and which build runs in it. Begun once in a process: it watches the event loop and
 * the garbage collector, and cannot be told to stop.
 */
export function addProcessFigures(registry: Registry): void {
  figures ??= collect();
  for (const metric of figures.getMetricsAsArray()) {
    const { name } = metric;
    registry.registerMetric(figures.getSingleMetric(name) as Gauge);
  }
}

function collect(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  countDroppedLines(register);
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1; its labels tell what runs.',
    labelNames: ['version', 'node_version'],
    aggregator: 'first',
    registers: [register],
  }).set({ version: packageVersion(), node_version: process.version }, 1);
  return register;
}
