import { Counter, type Registry } from '@prometheus-io/client';
import { standardError } from '../logging/standard-error';

/** Adds the number of dropped lines of this process's log. */
export function countDroppedLines(registry: Registry): void {
  const counter = new Counter({
    name: 'petstore_log_lines_dropped_total',
    help: 'Lines of the log that were dropped because its reader did not keep up.',
    registers: [],
    collect() {
      this.reset();
      this.inc(standardError().dropped);
    },
  });
  registry.registerMetric(counter);
}
