/** A caller that waits for its turn. */
interface Waiting {
  readonly isSharing: boolean;
  readonly begin: () => void;
}

/** Lets one holder in at a time, or any number of those who share it, in the order they came. */
export class Mutex {
  /** True while a caller holds the mutex alone, or will as soon as those who share it have left. */
  private held = false;
  private sharing = 0;
  /** Lets the holder in who waits for those who share it. */
  private onLeft: (() => void) | undefined;
  private readonly waiting: Waiting[] = [];

  /** True while a caller holds the mutex alone, or will as soon as those who share it have left. */
  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Takes it; {@link release} gives it back.
   *
   * @returns a promise that resolves once the caller holds it; undefined if the caller holds it at once
   */
  acquire(): Promise<void> | undefined {
    if (this.held) return this.wait(false);
    this.held = true;
    return this.sharing === 0 ? undefined : new Promise((resolve) => (this.onLeft = resolve));
  }

  /** Lets the next in. */
  release(): void {
    this.held = false;
    for (let next = this.waiting[0]; next && !this.held; next = this.waiting[0]) {
      this.waiting.shift();
      if (next.isSharing) this.sharing++;
      else this.held = true;
      if (this.held && this.sharing > 0) this.onLeft = next.begin;
      else next.begin();
    }
  }

  /**
   * Takes it together with others who share it; {@link leave} gives it back.
   *
   * @returns as of {@link acquire}
   */
  share(): Promise<void> | undefined {
    if (this.held) return this.wait(true);
    this.sharing++;
    return undefined;
  }

  leave(): void {
    this.sharing--;
    if (this.sharing > 0 || !this.onLeft) return;
    const begin = this.onLeft;
    this.onLeft = undefined;
    begin();
  }

  private wait(isSharing: boolean): Promise<void> {
    return new Promise((begin) => this.waiting.push({ isSharing, begin }));
  }

  /** Runs the work when all earlier work is done, and lets the next in when it has settled. */
  async runExclusive<T>(work: () => T | Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
