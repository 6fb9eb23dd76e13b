import { hostname } from 'node:os';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { untilLockWait } from '../../../../test/support/databases/lock-waits';
import { BATCH, csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { type HeldJobs, holdJobs } from '../../../../test/support/service/held-jobs';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { until } from '../../../../test/support/until';
import { StoredRun } from '../../../platform/jobs/stored-run.entity';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { ManyRecords } from '../many-records.service';
import type { ImportReport } from './import.service';
import { AlreadyImportedError } from './transfer.errors';

describeEachEngine('Imports of one content', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;
  let jobs: HeldJobs;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => void (jobs = holdJobs(service)));
  afterEach(() => jest.restoreAllMocks());

  it('import the same content only once, unless told to import it again', async () => {
    const content = csvOf('once', 3);
    const { run } = await transfers.imported(content, 'csv');
    await expect(transfers.imported(content, 'csv')).rejects.toThrow(
      `pets.csv was imported by cli:ana, until `,
    );
    await expect(transfers.imported(content, 'csv')).rejects.toThrow(`3 rows, in run ${run}.`);
    expect(await transfers.stored('once')).toHaveLength(3);
    const again = await transfers.imported(content, 'csv', { again: true });
    expect(again.run).not.toBe(run);
    expect(await transfers.stored('once')).toHaveLength(6);
    await expect(transfers.imported(content, 'csv')).rejects.toThrow(`in run ${again.run}.`);
  });

  it('refuse a second import of the same content while one is running', async () => {
    const content = csvOf('two', 3_000);
    const both = await Promise.allSettled([
      transfers.imported(content, 'csv'),
      transfers.imported(content, 'csv'),
    ]);
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({ message: 'pets.csv is being imported by another process.' }),
      },
    ]);
    expect(new Set(await transfers.namesOf('two')).size).toBe(3_000);
    expect(await transfers.stored('two')).toHaveLength(3_000);
  });

  if (engine === 'postgres') {
    it('import nothing again of a content whose import ends while another process begins with it', async () => {
      const content = csvOf('ending', 1_500);
      const { run } = await transfers.begun(content, 'csv');
      const other = new Client({ connectionString: service.database.url });
      await other.connect();
      await other.query('BEGIN');
      const ended = await other.query<{ job: string }>(
        'UPDATE import_runs SET finished_at = now() WHERE id = $1 RETURNING job',
        [run],
      );
      await other.query("UPDATE job_runs SET state = 'finished', ended_at = now() WHERE id = $1", [
        ended.rows[0]?.job,
      ]);
      const second = transfers.imported(content, 'csv').catch((error: unknown) => error);
      await untilLockWait(other);
      await other.query('COMMIT');
      await other.end();
      expect(await second).toBeInstanceOf(AlreadyImportedError);
      expect(await transfers.stored('ending')).toHaveLength(BATCH);
    });
  }

  it('take over the run of a process that has ended', async () => {
    const content = csvOf('taken', 2_500);
    const { run } = await transfers.begun(content, 'csv');
    const later = new Date(Date.now() + 3_600_000);
    for (const alive of ['elsewhere 1 a', `${hostname()} ${process.ppid} a`]) {
      await transfers.hold(alive, later, run);
      await expect(transfers.imported(content, 'csv')).rejects.toThrow(
        'is being imported by another process',
      );
    }
    await transfers.hold('elsewhere 1 a', new Date(0), run);
    expect(await transfers.imported(content, 'csv')).toMatchObject({ run, resumedAt: BATCH, done: 2_500 });
    expect(await transfers.stored('taken')).toHaveLength(2_500);
  });

  it('take over a run at once when its process on this machine has ended or had the same process id', async () => {
    for (const [part, gone] of [
      ['gone', 2 ** 22 + 1],
      ['reborn', process.pid],
    ] as const) {
      const content = csvOf(part, 1_500);
      const { run } = await transfers.begun(content, 'csv');
      await transfers.hold(`${hostname()} ${gone} a`, new Date(Date.now() + 3_600_000), run);
      expect(await transfers.imported(content, 'csv')).toMatchObject({ resumedAt: BATCH, done: 1_500 });
    }
  });

  it('go on in another process once theirs has ended, in the name of who began them', async () => {
    const content = csvOf('left', 2_617);
    const { run } = await transfers.begun(content, 'csv');
    await transfers.hold('elsewhere 1 a', new Date(0), run);
    jobs.release();
    const job = () => service.app.get(DataSource).getRepository(StoredRun).findOneBy({ total: 2_617n });
    await until(async () => (await job())?.state === 'finished');
    expect(await job()).toMatchObject({ job: 'ImportJob.run', done: 2_617n, error: null });
    expect(new Set(await transfers.namesOf('left')).size).toBe(2_617);
    expect(await transfers.stored('left')).toHaveLength(2_617);
    const events = await transfers.eventsOf({ run } as ImportReport);
    expect(events.map(({ actor }) => actor)).toEqual(['cli:ana', 'cli:ana', 'cli:ana']);
    await expect(transfers.imported(content, 'csv')).rejects.toThrow(`2,617 rows, in run ${run}.`);
    expect(await transfers.partsOf(run)).toEqual([]);
  });

  it('go on in one job at a time', async () => {
    const content = csvOf('older', 1_500);
    const { run } = await transfers.begun(content, 'csv');
    const runs = service.app.get(StoredRunsRepository, { strict: false });
    const [older] = await runs.list({ job: 'ImportJob.run' }, 1);
    expect(await transfers.imported(content, 'csv')).toMatchObject({ run, done: 1_500 });
    await runs.retry(older?.id ?? 0n);
    jobs.release();
    await until(async () => (await runs.findOne(older?.id ?? 0n))?.state === 'finished');
    expect(await transfers.stored('older')).toHaveLength(1_500);
  });

  it('stop at once when another process has taken over their run', async () => {
    let stolen: Promise<unknown> | undefined;
    const many = service.app.get(ManyRecords, { strict: false });
    const create = many.create.bind(many);
    jest.spyOn(many, 'create').mockImplementation(async (...batch) => {
      await stolen;
      return create(...batch);
    });
    const onBatch = () => void (stolen ??= transfers.hold('elsewhere 1 a', new Date(Date.now() + 3_600_000)));
    await expect(transfers.imported(csvOf('stolen', 2_500), 'csv', { onBatch })).rejects.toThrow(
      'Another process continues the import of pets.csv; this one has stopped.',
    );
    jest.restoreAllMocks();
    expect(await transfers.stored('stolen')).toHaveLength(BATCH);
    await expect(transfers.imported(csvOf('stolen', 2_500), 'csv')).rejects.toThrow(
      'is being imported by another process',
    );
  });
});
