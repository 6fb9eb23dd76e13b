import { JobRunner } from '../../../src/platform/jobs/job-runner.service';
import { StoredRunsRepository } from '../../../src/platform/jobs/stored-runs.repository';
import type { TestService } from './service';

/** Jobs that a service does not begin by itself. */
export interface HeldJobs {
  /** Lets them begin. */
  release(): void;
}

/** Keeps a service from running jobs by itself. */
export function holdJobs({ app }: TestService): HeldJobs {
  const claim = jest
    .spyOn(app.get(StoredRunsRepository, { strict: false }), 'claim')
    .mockResolvedValue(undefined);
  const release = () => {
    claim.mockRestore();
    app.get(JobRunner, { strict: false }).wake();
  };
  return { release };
}
