/** Progress of a run. */
export interface JobProgress<Cursor> {
  /** Position from which another attempt goes on; that of the step before unless given. */
  readonly cursor?: Cursor;
  /** Number of things done so far, for people. */
  readonly done?: number;
  /** Number of things to do, for people. */
  readonly total?: number;
}

/** The run in progress, which a job gets besides its arguments. */
export interface JobRun<Cursor = unknown> {
  /** Id of the run: the same in each attempt, and of no other run. */
  readonly id: bigint;
  /** Number of the attempt since the last progress, from 1. */
  readonly attempt: number;
  /** Cursor of the last step; undefined before the first. */
  readonly cursor: Cursor | undefined;
  /** Number of things done by the last step. */
  readonly done: number;
  /** Aborted when the run has to end: the process stops, an operator has stopped it, or another process has it. */
  readonly signal: AbortSignal;

  /**
   * Does a part of the work. Its changes and the progress are one transaction: a process that dies leaves whole steps, and the
   * next one goes on after them. A run that has to end does so before or after a step.
   *
   * @param progress what the step says, or a function that says it of the result of the work
   * @returns the result of the work
   * @throws when the run has to end: let it pass
   */
  step<Result>(
    work: () => Promise<Result>,
    progress: JobProgress<Cursor> | ((result: Result) => JobProgress<Cursor>),
  ): Promise<Result>;
}
