import type { Type } from '@nestjs/common';
import type { JobRun } from './job-run';
import { attemptsWithin } from './retries';

/** Options of a job. */
export interface JobOptions {
  /** Name of the job on the console's page, such as `Ship orders`; that of the method unless given. */
  readonly title?: string;
  /** Most runs that one process has at the same time; 2 unless given. */
  readonly concurrency?: number;
  /** Hours for which a run is tried again while it fails without a step; a day unless given. Then an operator decides. */
  readonly retryHours?: number;
}

/** The {@link Job} of a method. */
export interface JobMark {
  /** Class of the arguments, by which the job is started. */
  readonly args: Type<object>;
  readonly title: string | undefined;
  readonly concurrency: number;
  /** Number of attempts of a run without a step. */
  readonly maxAttempts: number;
}

const JOB_METADATA = 'petstore:job';

/**
 * Runs a method of a provider whenever `Jobs.start()` is called with the class of its arguments: in one of the processes that
 * serve on the same database, and again from its last step if that process dies.
 *
 * @param args class of the method's first argument; its members have rules of class-validator
 */
export function Job<Args extends object>(
  args: Type<Args>,
  { title, concurrency = 2, retryHours }: JobOptions = {},
) {
  const maxAttempts = attemptsWithin(retryHours);
  return <Method extends (args: Args, run: JobRun<never>) => void | Promise<void>>(
    _target: object,
    _property: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const mark: JobMark = { args, title, concurrency, maxAttempts };
    Reflect.defineMetadata(JOB_METADATA, mark, descriptor.value as object);
  };
}

/** Returns the mark of a method; empty without {@link Job}. */
export function jobMarks(method: object): readonly JobMark[] {
  const mark = Reflect.getMetadata(JOB_METADATA, method) as JobMark | undefined;
  return mark ? [mark] : [];
}
