/** A sequence of numbers that follows from a seed (Mulberry32). What clients and faults do is drawn from it. */
export class Random {
  private state: number;

  constructor(private readonly seed: number) {
    this.state = seed;
  }

  /** Another sequence of the same seed, for one of several that draw in an order of their own. */
  fork(number: number): Random {
    return new Random(Math.imul(this.seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  }

  /** A number from 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Tells whether something that has this probability happens. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
