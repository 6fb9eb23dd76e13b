/** Number of requests under way by caller; callers without any are forgotten. */
export class Shares {
  private readonly counts = new Map<string, number>();
  /** Number for all callers. */
  total = 0;

  /** Tells whether a caller has more than it would have if all had the same. */
  isGreedy(caller: string): boolean {
    return (this.counts.get(caller) ?? 0) * this.counts.size > this.total;
  }

  add(caller: string): void {
    this.total += 1;
    this.counts.set(caller, (this.counts.get(caller) ?? 0) + 1);
  }

  remove(caller: string): void {
    this.total -= 1;
    const left = (this.counts.get(caller) ?? 0) - 1;
    if (left > 0) this.counts.set(caller, left);
    else this.counts.delete(caller);
  }
}
