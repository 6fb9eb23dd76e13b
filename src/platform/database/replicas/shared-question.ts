/**
 * One question for all callers: one asking is under way at a time, and a caller that comes meanwhile gets the result of the
 * next. So no caller gets a result that was asked for before the caller came (Raft's ReadIndex batches its reads like this).
 */
export class SharedQuestion<T> {
  private current: Promise<T> | undefined;
  private following: Promise<T> | undefined;

  constructor(private readonly put: () => Promise<T>) {}

  /** The result of an asking that begins now or later. */
  ask(): Promise<T> {
    if (!this.current) return this.begin();
    this.following ??= this.current.then(this.begin, this.begin);
    return this.following;
  }

  private readonly begin = (): Promise<T> => {
    this.following = undefined;
    const asked = this.put();
    this.current = asked;
    // Before the next asking begins: so no third one can slip in between the two.
    asked.then(this.end, this.end);
    return asked;
  };

  private readonly end = (): void => {
    if (!this.following) this.current = undefined;
  };
}
