import { Injectable } from '@nestjs/common';
import { type DecoratedMethod, DecoratedMethods } from './decorated-methods';
import { type JobMark, jobMarks } from './job.decorator';

/** A method with `@Job()`. Stored runs find it by its name, `Shipping.ship`. */
export type JobMethod = DecoratedMethod<JobMark>;

/** The methods with `@Job()` of all providers. */
@Injectable()
export class JobMethods {
  private readonly methods = new Map<string, JobMethod>();

  constructor(private readonly decorated: DecoratedMethods) {}

  /**
   * Finds the jobs.
   *
   * @throws Error when two have the same name or the same arguments, or one is in a provider of request scope
   */
  find(): void {
    for (const method of this.decorated.find(jobMarks)) {
      const { name, mark } = method;
      if (this.methods.has(name)) throw new Error(`Two jobs are called ${name}: rename a class or a method.`);
      const other = [...this.methods.values()].find(({ mark: { args } }) => args === mark.args);
      if (other)
        throw new Error(
          `${other.name} and ${name} are started by ${mark.args.name}: give each a class of its own.`,
        );
      this.methods.set(name, method);
    }
  }

  get byName(): ReadonlyMap<string, JobMethod> {
    return this.methods;
  }

  /** Returns the job that has arguments of a class. @throws Error if there is none */
  startedBy(args: unknown): JobMethod {
    const found = [...this.methods.values()].find(({ mark }) => mark.args === args);
    if (!found) throw new Error(`No provider has a method with @Job(${(args as { name: string }).name}).`);
    return found;
  }
}
