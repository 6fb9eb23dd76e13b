import { Counter, type Registry } from '@prometheus-io/client';

type Labels = Readonly<Record<string, string>>;

/**
 * A counter of series that are known from the start: its labels cannot grow, and counting is adding to a number. The library's
 * own looks its labels up at every call, which is costly on the path of every request.
 */
export class SeriesCounter<Name extends string> {
  private readonly counts: Record<Name, number>;

  /**
   * @param name the name of the counter, ending in `_total`
   * @param series the labels of each series, by the name that {@link add} takes
   */
  constructor(registry: Registry, name: string, help: string, series: Readonly<Record<Name, Labels>>) {
    const names = Object.keys(series) as Name[];
    this.counts = Object.fromEntries(names.map((each) => [each, 0])) as Record<Name, number>;
    const { counts } = this;
    const counter = new Counter({
      name,
      help,
      labelNames: [...new Set(names.flatMap((each) => Object.keys(series[each])))],
      registers: [],
      collect() {
        this.reset();
        for (const each of names) this.inc(series[each], counts[each]);
      },
    });
    registry.registerMetric(counter);
  }

  add(series: Name): void {
    this.counts[series] += 1;
  }
}

/** Returns the series of a counter with one label, named by its values. */
export function byLabel<Value extends string>(
  label: string,
  values: readonly Value[],
): Readonly<Record<Value, Labels>> {
  const series: [string, Labels][] = values.map((value) => [value, { [label]: value }]);
  return Object.fromEntries(series) as Record<Value, Labels>;
}
