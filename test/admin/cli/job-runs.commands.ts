import { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { databaseSettings } from '../../support/databases/sample-database';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { FAILED_RUN, RUN_ENDED, RUNNING_RUN } from '../../support/service/stored-run';
import { CliInProcess } from '../../cli/support/cli-in-process';

describeOneEngine('petstore jobs, for runs of jobs,', (engine) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    dataSource = await createDataSource(databaseSettings(database.url)).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(() => dataSource.getRepository(StoredRun).clear());

  const stored = () => dataSource.getRepository(StoredRun).find({ order: { id: 'ASC' } });

  async function store(...runs: Partial<StoredRun>[]): Promise<string[]> {
    for (const values of runs) await dataSource.getRepository(StoredRun).insert({ ...FAILED_RUN, ...values });
    return (await stored()).map(({ id }) => String(id));
  }

  it('lists how far they are, the newest first', async () => {
    const [failed, running, stopping, fresh] = await store(
      {},
      RUNNING_RUN,
      { ...RUNNING_RUN, state: 'stopped' },
      {
        state: 'waiting',
        done: null,
        total: null,
        error: null,
        attempts: 0,
      },
    );
    const { stdout } = await cli.run('jobs', 'runs');
    const job = 'Parcels.send (not in this version)';
    const started = `${RUN_ENDED.toISOString()}\tkey_one`;
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'RUN\tJOB\tSTATE\tDONE\tSTARTED\tBY\tATTEMPTS\tNEXT\tERROR',
      `${fresh}\t${job}\twaiting\t-\t${started}\t0\t${RUN_ENDED.toISOString()}\t-`,
      `${stopping}\t${job}\tstopping\t120 of 400\t${started}\t1\t-\t-`,
      `${running}\t${job}\trunning\t120 of 400\t${started}\t1\t-\t-`,
      `${failed}\t${job}\tfailed\t120 of 400\t${started}\t15\t-\tError: <no carrier>`,
    ]);
    const { items } = await cli.json<{ items: object[] }>('jobs', 'runs', '--state', 'failed');
    expect(items).toMatchObject([
      {
        state: 'failed',
        done: 120,
        total: 400,
        arguments: FAILED_RUN.arguments,
        isKnown: false,
        title: null,
      },
    ]);
    expect((await cli.json<{ items: object[] }>('jobs', 'runs', '--job', 'Other.run')).items).toEqual([]);
  });

  it('stops one, has it go on, discards it, and records who asked for it', async () => {
    const [id = ''] = await store({ state: 'waiting' });
    expect((await cli.run('jobs', 'stop', id)).stderr).toContain(`petstore jobs retry --run ${id}\n`);
    expect(await stored()).toMatchObject([{ state: 'stopped', endedAt: expect.any(Date) as Date }]);
    expect(await cli.run('jobs', 'stop', id)).toMatchObject({ code: 4 });
    expect((await cli.run('jobs', 'retry', '--run', id)).code).toBe(0);
    expect(await stored()).toMatchObject([{ state: 'waiting', attempts: 0, endedAt: null, cursor: '120' }]);
    expect((await cli.run('jobs', 'discard', '--run', id)).code).toBe(0);
    expect(await stored()).toEqual([]);
    expect(await cli.run('jobs', 'stop', id)).toMatchObject({
      code: 3,
    });
    const list = ['audit', 'list', '--subject', 'jobs', '--limit', '3'];
    expect((await cli.json<{ items: object[] }>(...list)).items).toMatchObject(
      ['discard', 'retry', 'stop'].map((word) => ({ action: `jobs.${word}`, subjectId: `run ${id}` })),
    );
  });

  it('touches none that a process has, but to stop it', async () => {
    const [id = ''] = await store(RUNNING_RUN);
    for (const word of ['retry', 'discard']) {
      expect(await cli.run('jobs', word, '--run', id)).toMatchObject({
        code: 4,
      });
    }
    expect(await cli.run('jobs', 'stop', id)).toMatchObject({ code: 0 });
    expect(await stored()).toMatchObject([{ state: 'stopped', lockedBy: 'a process' }]);
  });

  it.each([[['retry', '7', '--run', '7']], [['discard', '7', '--run', '7']], [['discard']]])(
    'are named by --run alone: %p',
    async (words) => {
      const { code, stderr } = await cli.run('jobs', ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--run')]);
    },
  );
});
