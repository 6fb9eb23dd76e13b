/** Lets one holder in at a time, in the order they came. */
export class Mutex {
  private tail: Promise<void> | undefined;

  /** Whether a caller holds it or waits for it. */
  get isHeld(): boolean {
    return this.tail !== undefined;
  }

  /** Runs the work when all that came before is done, and lets the next in when it has settled. */
  async runExclusive<T>(work: () => T | Promise<T>): Promise<T> {
    const before = this.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.tail = promise;
    await before;
    try {
      return await work();
    } finally {
      if (this.tail === promise) this.tail = undefined;
      resolve();
    }
  }
}
