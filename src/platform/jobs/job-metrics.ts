import { Injectable } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics';
import { storedStates } from '../telemetry/stored-states';
import type { RunState } from './stored-run.entity';
import { StoredRunsRepository } from './stored-runs.repository';

/** Runs of a state that are counted at most. */
const MOST_COUNTED = 10_000;

/** Counts of the runs of jobs that are not over. */
@Injectable()
export class JobMetrics {
  constructor({ registry }: Metrics, runs: StoredRunsRepository) {
    registry.registerMetric(
      storedStates(
        'petstore_job_runs',
        'Runs of jobs that wait or have begun, or that wait for an operator because they failed; counted up to 10,000 of each.',
        async () => {
          const countOf = (state: RunState) => runs.count({ state }, MOST_COUNTED);
          const [waiting, failed] = await Promise.all([countOf('waiting'), countOf('failed')]);
          return { waiting, failed };
        },
      ),
    );
  }
}
