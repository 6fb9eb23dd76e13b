import { until } from '../../support/until';
import { type MetricFamily, parseMetrics, type Sample } from '../../support/processes/prometheus';

/** What a service counts at one moment. */
export class Scrape {
  private constructor(readonly families: ReadonlyMap<string, MetricFamily>) {}

  static async of({ managementUrl }: { readonly managementUrl: string }): Promise<Scrape> {
    const response = await fetch(`${managementUrl}/metrics`);
    if (response.status !== 200) throw new Error(`/metrics responded with ${response.status}.`);
    return new Scrape(parseMetrics(await response.text()));
  }

  get samples(): readonly Sample[] {
    return [...this.families.values()].flatMap(({ samples }) => samples);
  }

  /** Values of a metric, or of a part of a histogram, by those of its labels that are named, joined by a space. */
  values(name: string, ...labels: readonly string[]): Record<string, number> {
    const found: Record<string, number> = {};
    for (const sample of this.samples.filter((one) => one.name === name)) {
      const key = labels.map((label) => sample.labels[label]).join(' ');
      found[key] = (found[key] ?? 0) + sample.value;
    }
    return found;
  }

  /** The only value of a metric without labels. */
  value(name: string): number | undefined {
    return this.values(name)[''];
  }

  /** How much each value has grown since an earlier scrape, those that have not left out. */
  growth(since: Scrape, name: string, ...labels: readonly string[]): Record<string, number> {
    const before = since.values(name, ...labels);
    const grown = Object.entries(this.values(name, ...labels))
      .map(([key, value]) => [key, value - (before[key] ?? 0)] as const)
      .filter(([, difference]) => difference !== 0);
    return Object.fromEntries(grown);
  }
}

/** What a metric has grown by once some work was done and counted. */
export async function growthBy(
  service: { readonly managementUrl: string },
  work: () => Promise<unknown>,
  name: string,
  ...labels: readonly string[]
): Promise<Record<string, number>> {
  const before = await Scrape.of(service);
  await work();
  // A request is measured when its response has closed, which may be after the client has read it.
  await until(async () => (await Scrape.of(service)).value('http_server_active_requests') === 0);
  return (await Scrape.of(service)).growth(before, name, ...labels);
}
