import { recordFigure } from '../../support/samples/figures';
import { violationsOf } from './checker';
import { keepHistory } from './history';
import type { Run } from './run-history';
import { historyIn, type World } from './world';

/** Operations of a round at most. Each has a database of its own: so much is kept in memory until it is judged. */
const ROUND_OPERATIONS = 10_000;

/** What several rounds have shown. */
export interface Judgement {
  /** In words, with the seed of the round that each was found in. */
  readonly violations: readonly string[];
  /** Responses that no client should get, in words. */
  readonly unexpected: readonly string[];
}

/** Judges so many operations in a world, and notes what happened among the figures. The first round has the seed, each other one the next. */
export async function judgeRounds(
  world: World,
  title: string,
  seed: number,
  operations: number,
): Promise<Judgement> {
  const total = new Total();
  const violations: string[] = [];
  const unexpected: string[] = [];
  for (let round = 0; total.known < operations; round++) {
    const ownSeed = seed + round;
    const run = await historyIn(world, ownSeed, Math.min(ROUND_OPERATIONS, operations - total.known));
    const found = violationsOf(run.history);
    violations.push(...found.map((violation) => `Seed ${ownSeed}: ${violation}`));
    if (found.length > 0) violations.push(`kept in ${keepHistory(run.history, ownSeed)}`);
    unexpected.push(...run.unexpected);
    total.add(run);
    // A long run says how far it is.
    if (total.known < operations) {
      process.stderr.write(`${title}: ${total.known} operations, ${violations.length} violations\n`);
    }
  }
  total.record(`histories of ${title}, seed ${seed}`, violations.length);
  return { violations, unexpected };
}

/** Counts what happened in all rounds. */
class Total {
  known = 0;
  private unknown = 0;
  private deliveries = 0;
  private readonly faults = new Map<string, number>();
  private readonly responses = new Map<string, number>();

  add({ history, known, faults, byStatus }: Run): void {
    const { creates, changes, gets, pages, deliveries } = history;
    this.known += known;
    this.unknown += creates.length + changes.length + gets.length + pages.length - known;
    this.deliveries += deliveries.length;
    for (const [name, count] of faults) increase(this.faults, name, count);
    for (const [status, count] of byStatus) increase(this.responses, `responses ${status || 'lost'}`, count);
  }

  record(title: string, violations: number): void {
    recordFigure(title, 'operations judged', this.known);
    recordFigure(title, 'writes of unknown outcome', this.unknown);
    recordFigure(title, 'events delivered', this.deliveries);
    for (const [name, count] of [...this.faults, ...this.responses].sort()) recordFigure(title, name, count);
    recordFigure(title, 'violations', violations);
  }
}

function increase(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
