/** Who waits for their turn. */
interface Waiting {
  readonly isSharing: boolean;
  readonly begin: () => void;
}

/** Lets one holder in at a time, or any number of those who share it, in the order they came. */
export class Mutex {
  /** Whether a caller holds it, or will as soon as those who share it have left. */
  private held = false;
  private sharing = 0;
  /** Lets the holder in who waits for those who share it. */
  private onLeft: (() => void) | undefined;
  private readonly waiting: Waiting[] = [];

  /** Whether a caller holds it alone, or waits for that. */
  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Takes it; {@link release} gives it back.
   *
   * @returns what resolves once the caller holds it; undefined when it does already
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
