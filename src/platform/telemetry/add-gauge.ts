import { Gauge, type Registry } from '@prometheus-io/client';
import pTimeout from 'p-timeout';

/** Longest wait of a scrape, in milliseconds: without disk or database the other metrics are there in time. */
const SCRAPE_TIMEOUT_MS = 500;

/** Adds a gauge whose value is read at each scrape. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set(await read());
    },
  });
  registry.registerMetric(gauge);
}

/** Adds a gauge that has no value while its value is unknown: undefined, an error, or too long a wait. */
export function addGaugeIfKnown(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<number | undefined>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await pTimeout(read(), { milliseconds: SCRAPE_TIMEOUT_MS }).catch(() => undefined);
      this.reset();
      // A gauge without labels is 0 once it was reset.
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
  registry.registerMetric(gauge);
}
