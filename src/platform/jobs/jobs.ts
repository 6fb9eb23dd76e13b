import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { currentActor } from '../security/actor';
import { Database } from '../database/database';
import { jobArguments, writeBounded } from './job-arguments';
import { JobMethods } from './job-methods';
import { JobRunner } from './job-runner.service';
import { StoredRunsRepository } from './stored-runs.repository';

/** Starts the methods with `@Job()` of all features. */
@Injectable()
export class Jobs implements OnModuleInit {
  constructor(
    private readonly methods: JobMethods,
    private readonly stored: StoredRunsRepository,
    private readonly runner: JobRunner,
    private readonly database: Database,
  ) {}

  /** Finds the jobs ahead of what other modules start when they begin: the modules that are global come first. */
  onModuleInit(): void {
    this.methods.find();
  }

  /**
   * Starts a job in the background, for whoever makes the change in progress: once the transaction is committed, and never
   * after a rollback; at once outside one.
   *
   * @param args class that the job was declared with
   * @returns id of the run
   * @throws Error when no job takes the arguments, or they break a rule of their class
   */
  async start<Args extends object>(args: Type<Args>, members: Args): Promise<bigint> {
    const { name } = this.methods.startedBy(args);
    const text = writeBounded(`The arguments of ${name}`, await jobArguments(args, members));
    const id = await this.stored.add({ job: name, arguments: text, actor: JSON.stringify(currentActor()) });
    this.database.afterCommit(() => this.runner.wake());
    return id;
  }
}
