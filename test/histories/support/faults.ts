import { until } from '../../support/until';
import type { Random } from './random';

/** Something that goes wrong, and is right again when it has resolved. */
export interface Fault {
  readonly name: string;
  readonly happen: (random: Random) => Promise<unknown>;
}

/** Longest time of a fault that lasts, in milliseconds. */
export const LONGEST_FAULT_MS = 2_000;

/** Longest time until the operations before a fault are done, in milliseconds: after a failover many fail. */
const PATIENCE_MS = 300_000;

/** Lets one fault after another happen, as a seed has it, each kind once before any happens again. */
export class Faults {
  readonly counts = new Map<string, number>();
  private left: Fault[] = [];
  private isStopped = false;

  constructor(
    private readonly random: Random,
    private readonly faults: readonly Fault[],
  ) {}

  /**
   * Goes on until {@link stop} is called.
   *
   * @param operations number of operations that clients have carried out so far
   * @param between of these there are between two faults, on average
   */
  async run(operations: () => number, between: number): Promise<void> {
    for (;;) {
      const due = operations() + this.random.below(2 * between);
      await until(() => this.isStopped || operations() >= due, PATIENCE_MS);
      if (this.isStopped) return;
      const { name, happen } = this.next();
      await happen(this.random);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  private next(): Fault {
    if (this.left.length === 0) this.left = [...this.faults];
    return this.left.splice(this.random.below(this.left.length), 1)[0] as Fault;
  }
}
