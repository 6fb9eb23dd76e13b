import pTimeout from 'p-timeout';
import { ServiceUnavailableError } from '../errors/http-errors';
import type { Metrics } from '../telemetry/metrics';
import { NodeMetrics } from '../telemetry/node-metrics';
import type { PrimaryLink } from './primary-link';

/** Milliseconds that the primary has to gather the counts of all workers: twice as long as it waits for them. */
const REPLY_TIMEOUT_MS = 2_000;

/** Metrics of a worker's whole node: its primary gathers the counts of all workers, this one included. */
export class NodeWideMetrics extends NodeMetrics {
  private readonly scrapes = new Map<number, (text: string) => void>();
  private scrape = 0;

  constructor(
    private readonly metrics: Metrics,
    private readonly link: PrimaryLink,
  ) {
    super();
    link.on('count', ({ round }) => void this.respond(round));
    link.on('scraped', ({ scrape, text }) => this.scrapes.get(scrape)?.(text));
  }

  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /**
   * Returns the counts of the node.
   *
   * @throws ServiceUnavailableError if the primary does not reply: this worker's counts alone would look as if the others had
   * begun anew
   */
  async text(): Promise<string> {
    const scrape = ++this.scrape;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.scrapes.set(scrape, resolve);
    void this.link.say({ petstore: 'scrape', scrape });
    try {
      return await pTimeout(promise, {
        milliseconds: REPLY_TIMEOUT_MS,
        fallback: () => {
          throw new ServiceUnavailableError({
            message: 'The metrics of the other processes are not available.',
          });
        },
      });
    } finally {
      this.scrapes.delete(scrape);
    }
  }

  private async respond(round: number): Promise<void> {
    const counts = await this.metrics.registry.getMetricsAsJSON();
    await this.link.say({ petstore: 'counted', round, counts });
  }
}
