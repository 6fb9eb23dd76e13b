/** Lets one holder in at a time, in the order they came. */
export class Mutex {
  private held = false;
  private readonly waiting: (() => void)[] = [];

  /** Whether a caller holds it. */
  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Takes it; {@link release} gives it back.
   *
   * @returns what resolves once the caller holds it; undefined when it does already
   */
  acquire(): Promise<void> | undefined {
    if (this.held) return new Promise((resolve) => this.waiting.push(resolve));
    this.held = true;
    return undefined;
  }

  /** Lets the next in. */
  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.held = false;
  }

  /** Runs the work when all that came before is done, and lets the next in when it has settled. */
  async runExclusive<T>(work: () => T | Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
