import { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { ScheduledJob } from '../../../src/platform/jobs/scheduled-job.entity';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { FAILED_EVENT, PUBLISHED, WAITING_EVENT } from '../../support/service/failed-event';
import { databaseSettings } from '../../support/databases/sample-database';
import { CliInProcess } from '../../cli/support/cli-in-process';

describeOneEngine('petstore jobs', (engine) => {
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
  beforeEach(async () => {
    await dataSource.getRepository(StoredEvent).clear();
    await dataSource.getRepository(ScheduledJob).clear();
  });

  const store = (...events: Partial<StoredEvent>[]) =>
    dataSource.getRepository(StoredEvent).insert(events.map((values) => ({ ...FAILED_EVENT, ...values })));
  const stored = () => dataSource.getRepository(StoredEvent).find({ order: { id: 'ASC' } });

  it('shows waiting and failed events for each handler', async () => {
    await store({}, { failedAt: null }, { failedAt: null }, { handler: 'Books.enter', failedAt: null });
    const { items } = await cli.json<{ items: object[] }>('jobs', 'handlers');
    const oldest = PUBLISHED.toISOString();
    expect(items).toEqual([
      { handler: 'Books.enter', waiting: 1, failed: 0, oldest, isKnown: false },
      { handler: 'Mails.welcome(PetCreated)', waiting: 2, failed: 1, oldest, isKnown: false },
    ]);
    const { stdout } = await cli.run('jobs', 'handlers');
    expect(stdout).toContain('Mails.welcome(PetCreated) (not in this version)\t2\t1');
  });

  it('shows a job as running only while a process has it', async () => {
    const job = { schedule: '0 3 * * * UTC', dueAt: new Date('2046-01-31T12:00:00.000Z') };
    await dataSource.getRepository(ScheduledJob).insert([
      { ...job, name: 'Ended.run', lockedBy: 'a process', lockedUntil: new Date('2026-01-31T12:00:00.000Z') },
      { ...job, name: 'Idle.run' },
      { ...job, name: 'Running.run', lockedBy: 'a process', lockedUntil: job.dueAt },
    ]);
    const { items } = await cli.json<{ items: object[] }>('jobs', 'list');
    expect(items).toMatchObject([{ isRunning: false }, { isRunning: false }, { isRunning: true }]);
  });

  it('says which scheduled jobs no process has begun in time, as those of removed methods, and which have not run', async () => {
    const job = { schedule: '0 3 * * * UTC', dueAt: new Date('2046-01-31T12:00:00.000Z') };
    const ran = { startedAt: PUBLISHED, finishedAt: PUBLISHED };
    await dataSource.getRepository(ScheduledJob).insert([
      { ...job, ...ran, name: 'Done.run' },
      { ...job, ...ran, name: 'Gone.run', dueAt: PUBLISHED },
      { ...job, name: 'New.run' },
    ]);
    const { items } = await cli.json<{ items: object[] }>('jobs', 'list');
    expect(items).toMatchObject([{ isOverdue: false }, { isOverdue: true }, { isOverdue: false }]);
    const lines = (await cli.run('jobs', 'list')).stdout.split('\n').slice(1, -1);
    expect(lines.map((line) => line.split('\t').at(-1))).toEqual(['ok', 'overdue', 'never ran']);
  });

  it('lists failed events with the errors of their handlers', async () => {
    await store({}, { failedAt: null });
    const [{ id }] = (await stored()) as [StoredEvent];
    const { stdout } = await cli.run('jobs', 'failed');
    expect(stdout.split('\n')[1]).toBe(
      `${id}\tPetCreated\tMails.welcome(PetCreated)\tpets/7\t${PUBLISHED.toISOString()}\tError: <no server>`,
    );
    expect((await cli.json<{ items: object[] }>('jobs', 'failed')).items).toHaveLength(1);
  });

  it('lists waiting events with the error of their last attempt, and what each waits for', async () => {
    const next = WAITING_EVENT.dueAt.toISOString();
    const published = PUBLISHED.toISOString();
    const running = { lockedBy: 'a process', lockedUntil: WAITING_EVENT.dueAt, subject: null };
    await store(
      {},
      WAITING_EVENT,
      { ...WAITING_EVENT, attempts: 0, error: null },
      { ...WAITING_EVENT, ...running },
    );
    const [, first, second, third] = (await stored()).map(({ id }) => id);
    const { stdout } = await cli.run('jobs', 'waiting');
    const of = 'PetCreated\tMails.welcome(PetCreated)';
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      'ID\tEVENT\tHANDLER\tSUBJECT\tPUBLISHED\tATTEMPTS\tNEXT\tERROR',
      `${first}\t${of}\tpets/7\t${published}\t3\t${next}\tError: away`,
      `${second}\t${of}\tpets/7\t${published}\t0\tafter ${first}\t-`,
      `${third}\t${of}\t-\t${published}\t3\tnow\tError: away`,
    ]);
    const { items } = await cli.json<{ items: object[] }>('jobs', 'waiting', '--limit', '2');
    expect(items).toMatchObject([
      { attempts: 3, next, behind: null, error: 'Error: away' },
      { attempts: 0, next: null, error: null },
    ]);
  });

  it('retries a waiting event at once, or all whose handler has failed, and records who asked for it', async () => {
    await store(
      WAITING_EVENT,
      WAITING_EVENT,
      {},
      { ...WAITING_EVENT, attempts: 0, error: null, dueAt: PUBLISHED },
    );
    const [first] = (await stored()) as [StoredEvent];
    const due = async () =>
      (await stored()).filter(({ attempts, dueAt }) => attempts === 0 && dueAt <= new Date());
    expect(await cli.json('jobs', 'retry', String(first.id), '--dry-run')).toEqual({
      retried: 0,
      retriable: 1,
    });
    expect((await cli.run('jobs', 'retry', '--all', '--dry-run')).stderr).toMatch(/^3 /);
    expect(await due()).toHaveLength(1);
    const { stderr } = await cli.run('jobs', 'retry', String(first.id));
    expect(stderr).toMatch(/^1 /);
    expect(await due()).toMatchObject([{ id: first.id, failedAt: null }, { dueAt: PUBLISHED }]);
    expect((await cli.run('jobs', 'retry', '--all')).stderr).toMatch(/^2 /);
    expect(await due()).toHaveLength(4);
    const { items } = await cli.json<{ items: object[] }>(
      'audit',
      'list',
      '--subject',
      'jobs',
      '--limit',
      '2',
    );
    expect(items).toMatchObject([
      { action: 'jobs.retry', subjectId: 'all' },
      { action: 'jobs.retry', subjectId: String(first.id) },
    ]);
  });

  it('neither retries nor discards an event that a handler has at the moment', async () => {
    await store({ ...WAITING_EVENT, lockedBy: 'a process', lockedUntil: WAITING_EVENT.dueAt });
    const [event] = (await stored()) as [StoredEvent];
    for (const words of ['retry', 'discard']) {
      expect(await cli.run('jobs', words, String(event.id))).toMatchObject({
        code: 4,
      });
    }
    expect((await cli.run('jobs', 'retry', '--all')).stderr).toMatch(/^0 /);
    expect(await stored()).toEqual([event]);
  });

  it('retries one failed event or all, and records who asked for it', async () => {
    await store({}, {}, {});
    const [first] = (await stored()) as [StoredEvent];
    await cli.run('jobs', 'retry', String(first.id));
    const waiting = async () => (await stored()).filter(({ failedAt }) => failedAt === null);
    expect(await waiting()).toMatchObject([{ id: first.id, attempts: 0 }]);
    const { stderr } = await cli.run('jobs', 'retry', '--all');
    expect(stderr).toMatch(/^2 /);
    expect(await waiting()).toHaveLength(3);
    const { items } = await cli.json<{ items: object[] }>(
      'audit',
      'list',
      '--subject',
      'jobs',
      '--limit',
      '2',
    );
    expect(items).toMatchObject([
      { action: 'jobs.retry', subjectId: 'all' },
      { action: 'jobs.retry', subjectId: String(first.id) },
    ]);
  });

  it('discards an event, failed or waiting, and records who asked for it', async () => {
    await store({}, WAITING_EVENT, WAITING_EVENT);
    const [first, second, third] = (await stored()) as [StoredEvent, StoredEvent, StoredEvent];
    for (const { id } of [first, second]) await cli.run('jobs', 'discard', String(id));
    expect(await stored()).toMatchObject([{ id: third.id }]);
    expect(await cli.run('jobs', 'discard', String(first.id))).toMatchObject({
      code: 3,
    });
    const { items } = await cli.json<{ items: object[] }>(
      'audit',
      'list',
      '--subject',
      'jobs',
      '--limit',
      '2',
    );
    expect(items).toMatchObject([
      { action: 'jobs.discard', subjectId: String(second.id) },
      { action: 'jobs.discard', subjectId: String(first.id) },
    ]);
  });

  it('lists scheduled jobs, and runs one now', async () => {
    const dueAt = new Date('2036-01-31T12:00:00.000Z');
    const job = { name: 'Reports.send', schedule: '0 3 * * * UTC', dueAt, error: 'Error: no printer' };
    await dataSource.getRepository(ScheduledJob).insert(job);
    const { stdout } = await cli.run('jobs', 'list');
    expect(stdout.split('\n')[1]).toBe(
      `Reports.send\tEvery day at 03:00 (UTC)\t${dueAt.toISOString()}\t-\tError: no printer`,
    );
    await cli.run('jobs', 'run', 'Reports.send');
    const { items } = await cli.json<{ items: { next: string; schedule: string }[] }>('jobs', 'list');
    expect(items[0]).toMatchObject({
      title: null,
      schedule: '0 3 * * * UTC',
      times: 'Every day at 03:00 (UTC)',
    });
    expect(Date.parse(items[0]?.next ?? '')).toBeLessThanOrEqual(Date.now());
    expect(await cli.run('jobs', 'run', 'Reports.burn')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Reports.burn') as string,
    });
  });

  it('requires an id or --all for a retry', async () => {
    expect(await cli.run('jobs', 'retry')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--all') as string,
    });
  });
});
