import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type Actor, actingAs } from '../../../platform/audit/actor';
import { ScheduledJobsRepository } from '../../../platform/jobs/scheduled-jobs.repository';
import { Scheduled } from '../../../platform/jobs/scheduled.decorator';
import { RecordsService } from '../records.service';
import type { ImportRun } from './import-run.entity';
import { ImportRunsRepository } from './import-runs.repository';
import { ImportUndo } from './import-undo.service';
import { isHeld } from './run-holders';

/** Undoes the imports that operators of the console have undone, in one process of all; after its end another one goes on. */
@Injectable()
export class ImportUndoJob implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly undoing: ImportUndo,
    private readonly runs: ImportRunsRepository,
    private readonly records: RecordsService,
    private readonly jobs: ScheduledJobsRepository,
  ) {}

  /** The scheduler waits for the jobs that run: this one ends after its piece. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Has the job run now. */
  async wake(): Promise<void> {
    await this.jobs.runNow(`${ImportUndoJob.name}.run`);
  }

  @Scheduled('* * * * *', { title: 'Undo imports' })
  async run(): Promise<void> {
    const failures: unknown[] = [];
    // One that fails does not hold up the others.
    for (const run of await this.runs.toUndo())
      await this.undo(run).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async undo(run: ImportRun): Promise<void> {
    const recordType = this.records.recordTypeNamed(run.kind);
    const { signal } = this.stopping;
    if (!recordType || isHeld(run) || signal.aborted) return;
    const actor = JSON.parse(run.undoActor ?? '{}') as Actor;
    await actingAs(actor, () => this.undoing.undo(recordType, run.id, { signal, isToGoOn: true }));
  }
}
