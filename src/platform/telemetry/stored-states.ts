import { Gauge } from '@prometheus-io/client';
import pTimeout from 'p-timeout';

/** Milliseconds that a scrape waits for the database: without it the other metrics are there in time. */
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
    registers: [],
    async collect() {
      const found = await pTimeout(read(), { milliseconds: SCRAPE_TIMEOUT_MS }).catch(() => undefined);
      this.reset();
      for (const [state, count] of Object.entries(found ?? {})) this.set({ state }, count);
    },
  });
}
