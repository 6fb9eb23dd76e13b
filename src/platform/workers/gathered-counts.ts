import { Counter, Gauge, Registry } from '@prometheus-io/client';
import pTimeout from 'p-timeout';
import { countDroppedLines } from '../telemetry/dropped-lines';
import type { Counts } from './messages';

/** Milliseconds within which a worker has to report its counts. */
const REPLY_TIMEOUT_MS = 1_000;

/** Workers that have been asked and have not replied yet. */
interface Round {
  readonly missing: Set<number>;
  readonly complete: () => void;
}

/**
 * Counts of all workers of a node, merged by the Prometheus client. Its own `clusterMetrics` fails altogether when one worker
 * does not reply; and when a worker is killed its sums fall, which Prometheus takes for a restart of all that was counted.
 */
export class GatheredCounts {
  private readonly own = new Registry();
  private readonly restarts = new Counter({
    name: 'petstore_worker_restarts_total',
    help: 'Workers that replaced one that had ended.',
    registers: [this.own],
  });
  private readonly workers = new Gauge({
    name: 'petstore_workers',
    help: 'Workers that replied to this scrape.',
    registers: [this.own],
  });
  private readonly rounds = new Map<number, Round>();
  /** Last counts reported, by worker. */
  private readonly latest = new Map<number, Counts>();
  /** Counts of workers that have ended since. */
  private past: Promise<Counts> = Promise.resolve([]);
  private round = 0;

  /** @param ask asks every worker that listens for its counts, which come back through {@link told}; returns their numbers */
  constructor(private readonly ask: (round: number) => readonly number[]) {
    countDroppedLines(this.own);
  }

  /** Takes the counts of a worker; called when it has reported them. */
  told(worker: number, round: number, counts: Counts): void {
    this.latest.set(worker, counts);
    this.strike(worker, round);
  }

  /** Keeps the counts of a worker that has ended. */
  ended(worker: number): void {
    const last = this.latest.get(worker);
    this.latest.delete(worker);
    for (const round of this.rounds.keys()) this.strike(worker, round);
    if (last) this.past = this.past.then((past) => merge([past, lasting(last)]).getMetricsAsJSON());
  }

  /** Counts a worker that takes the place of another. */
  restarted(): void {
    this.restarts.inc();
  }

  /** Returns the node's counts in Prometheus' text format, after a second at most. */
  async text(): Promise<string> {
    const silent = await this.gather();
    const counts = [...this.latest].map(([worker, told]) => (silent.has(worker) ? lasting(told) : told));
    this.workers.set([...this.latest.keys()].filter((worker) => !silent.has(worker)).length);
    return merge([...counts, await this.past, await this.own.getMetricsAsJSON()]).metrics();
  }

  /** Waits for the counts of all workers; returns those that did not reply. */
  private async gather(): Promise<ReadonlySet<number>> {
    const round = ++this.round;
    const { promise, resolve } = Promise.withResolvers<void>();
    const missing = new Set(this.ask(round));
    this.rounds.set(round, { missing, complete: resolve });
    if (missing.size > 0) await pTimeout(promise, { milliseconds: REPLY_TIMEOUT_MS, message: false });
    this.rounds.delete(round);
    return missing;
  }

  private strike(worker: number, round: number): void {
    const { missing, complete } = this.rounds.get(round) ?? {};
    if (missing?.delete(worker) && missing.size === 0) complete?.();
  }
}

/** Returns the counts that stay true of a worker that is silent or gone: all but its gauges, which tell its state. */
function lasting(counts: Counts): Counts {
  return counts.filter(({ type }) => type !== 'gauge');
}

function merge(counts: readonly Counts[]): Registry {
  return Registry.aggregate([...counts]);
}
