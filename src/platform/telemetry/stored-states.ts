import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';

/** Milliseconds that a scrape waits for the database. The primary waits a second when it gathers the metrics of its workers. */
const SCRAPE_TIMEOUT_MS = 500;

/**
 * Makes a gauge of rows in the database by their state. Without the database there is no number to report.
 *
 * @param read counts the rows of each state
 */
export function storedStates(
  name: string,
  help: string,
  read: () => Promise<Readonly<Record<string, number>>>,
): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: ['state'],
    // Every process of a node asks the same database.
    aggregator: 'max',
    registers: [],
    async collect() {
      const found = await pTimeout(read(), { milliseconds: SCRAPE_TIMEOUT_MS }).catch(() => undefined);
      this.reset();
      for (const [state, count] of Object.entries(found ?? {})) this.set({ state }, count);
    },
  });
}
