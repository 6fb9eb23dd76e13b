import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { holdJobs } from '../../../../test/support/service/held-jobs';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { ImportRun } from './import-run.entity';
import { StoredRun } from '../../../platform/jobs/stored-run.entity';
import { AddJobsToImportRuns1763700038000 } from '../../../migrations/1763700038000-add-jobs-to-import-runs';

describeEachEngine('The migration of imports to jobs', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
    holdJobs(service);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  it('has jobs go on with the undos that an older version has not ended, and keeps that away from them', async () => {
    const dataSource = service.app.get(DataSource);
    const migration = new AddJobsToImportRuns1763700038000();
    const runner = dataSource.createQueryRunner();
    await migration.down(runner);
    const at = engine === 'sqlite' ? `'2026-01-01 00:00:00.000'` : `timestamptz '2026-01-01 00:00:00Z'`;
    for (const [round, actor, undone] of [
      [1, 'NULL', 'NULL'],
      [2, `'{"name":"key_one"}'`, at],
      [3, `'{"name":"key_two"}'`, 'NULL'],
    ]) {
      await runner.query(`INSERT INTO import_runs (kind, format, digest, round, file_name, started_by, started_at,
          rows, imported, refused, rejects_size, held_until, finished_at, undo_actor, undone_at)
        VALUES ('pets', 'csv', 'd', ${round}, 'pets.csv', 'cli:ana', ${at}, 3, 3, 0, 0, ${at}, ${at}, ${actor}, ${undone})`);
    }
    await migration.up(runner);
    await runner.release();
    const runs = await dataSource.getRepository(ImportRun).find({ order: { round: 'ASC' } });
    const jobs = await dataSource.getRepository(StoredRun).find();
    expect(jobs).toMatchObject([{ job: 'ImportUndoJob.run', actor: '{"name":"key_two"}', state: 'waiting' }]);
    expect(JSON.parse(jobs[0]?.arguments ?? '')).toEqual({
      recordType: 'pets',
      run: { $int64: String(runs[2]?.id) },
    });
    expect(runs.map(({ job, holder }) => [job, holder])).toEqual([
      [null, null],
      [null, null],
      [jobs[0]?.id, 'jobs'],
    ]);
    expect(runs[2]?.heldUntil).toEqual(new Date('9999-12-31T00:00:00.000Z'));
  });
});
