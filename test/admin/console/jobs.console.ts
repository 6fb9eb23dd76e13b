import { AuditLog } from '../../../src/platform/audit/audit-log';
import { Database } from '../../../src/platform/database/database';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { DecoratedMethods } from '../../../src/platform/jobs/decorated-methods';
import { schedulesOf } from '../../../src/platform/jobs/scheduled.decorator';
import { ScheduledJob } from '../../../src/platform/jobs/scheduled-job.entity';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { describeOneEngine } from '../../support/databases/databases';
import { FAILED_EVENT, PUBLISHED, WAITING_EVENT } from '../../support/service/failed-event';
import { startTestService, type TestService } from '../../support/service/service';
import { FAILED_RUN, RUNNING_RUN } from '../../support/service/stored-run';
import { type ConsoleClient, openConsole, textIn } from '../../support/service/console';
import { emptyIn } from './support/said';

describeOneEngine('The page about jobs', (engine) => {
  let service: TestService;
  let client: ConsoleClient;
  let database: Database;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
    database = service.app.get(Database);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await database.dataSource.getRepository(StoredEvent).clear();
    await database.dataSource.getRepository(ScheduledJob).clear();
    await database.dataSource.getRepository(StoredRun).clear();
  });

  const store = (...events: Partial<StoredEvent>[]) =>
    database.dataSource
      .getRepository(StoredEvent)
      .insert(events.map((values) => ({ ...FAILED_EVENT, ...values })));
  const stored = () => database.dataSource.getRepository(StoredEvent).find({ order: { id: 'ASC' } });

  it('is empty when no module has jobs', async () => {
    const shown = await client.get('/admin/jobs');
    expect([shown.status, emptyIn(shown)]).toEqual([200, {}]);
  });

  it('shows waiting events for each handler, and failed ones with their error', async () => {
    await store({}, { failedAt: null, error: null });
    const { html } = await client.get('/admin/jobs');
    for (const part of ['Mails.welcome(PetCreated)', 'pets/7', 'Error: &lt;no server&gt;']) {
      expect(html).toContain(part);
    }
  });

  it('shows what waits, with its attempts, its error and what it waits for', async () => {
    await store(WAITING_EVENT, { ...WAITING_EVENT, attempts: 0, error: null });
    const [first] = (await stored()) as [StoredEvent];
    const { html } = await client.get('/admin/jobs');
    const [, waiting = ''] = html.split('id="waiting"');
    const cells = (label: string) =>
      [...waiting.matchAll(new RegExp(`data-label="${label}"[^>]*>([\\s\\S]*?)</td>`, 'g'))].map(
        ([, cell = '']) => textIn({ html: cell }).trim(),
      );
    expect(cells('Attempts')).toEqual(['3', '0']);
    expect(cells('Next attempt')).toEqual([
      '31 Jan 2046, 12:00 UTC',
      expect.stringMatching(new RegExp(`\\b${first.id}$`)),
    ]);
    expect(cells('Error')).toEqual(['Error: away', expect.stringMatching(/^–/)]);
  });

  it('retries a waiting event at once, and discards one, and records who decided that', async () => {
    await store(WAITING_EVENT, { ...WAITING_EVENT, subject: null });
    const [first, second] = (await stored()) as [StoredEvent, StoredEvent];
    await client.submit('/admin/jobs', `/admin/jobs/events/${first.id}/retry`);
    const [retried] = (await stored()) as [StoredEvent];
    expect(retried.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    await client.submit('/admin/jobs', `/admin/jobs/events/${second.id}/discard`);
    expect(await stored()).toEqual([retried]);
    const audited = await service.app.get(AuditLog).list({ subjectType: 'jobs' }, { limit: 2 });
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['jobs.discard', String(second.id)],
      ['jobs.retry', String(first.id)],
    ]);
  });

  it('retries a failed event, and records who decided that', async () => {
    await store({}, {});
    const [first] = (await stored()) as [StoredEvent];
    const { status } = await client.submit('/admin/jobs', `/admin/jobs/events/${first.id}/retry`);
    expect(status).toBe(303);
    expect((await stored()).map(({ failedAt }) => failedAt === null)).toEqual([true, false]);
    await client.submit('/admin/jobs', '/admin/jobs/retry');
    expect((await stored()).map(({ failedAt }) => failedAt === null)).toEqual([true, true]);
    const audited = await service.app.get(AuditLog).list({ subjectType: 'jobs' }, { limit: 2 });
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['jobs.retry', 'all'],
      ['jobs.retry', String(first.id)],
    ]);
  });

  it('discards a failed event, and says when it no longer exists', async () => {
    await store({});
    const [first] = (await stored()) as [StoredEvent];
    const path = `/admin/jobs/events/${first.id}/discard`;
    const { html } = await client.get('/admin/jobs');
    expect((await client.submit('/admin/jobs', path)).status).toBe(303);
    expect(await stored()).toEqual([]);
    const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await client.post(path, { _csrf: token })).status).toBe(404);
    expect((await client.post('/admin/jobs/events/none/discard', { _csrf: token })).status).toBe(404);
  });

  it('runs a scheduled job now', async () => {
    const dueAt = new Date('2036-01-31T12:00:00.000Z');
    const job = { name: 'Reports.send', schedule: '0 3 * * * UTC', dueAt };
    await database.dataSource.getRepository(ScheduledJob).insert(job);
    expect((await client.get('/admin/jobs')).html).toMatch(
      /data-label="Schedule"[^>]*>[^<]*<[^>]*>[^<]*\b03:00 /,
    );
    expect((await client.submit('/admin/jobs', '/admin/jobs/run/Reports.send')).status).toBe(303);
    const [changed] = await database.dataSource.getRepository(ScheduledJob).find();
    expect(changed?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('pauses a scheduled job and resumes it, on every node, and records who decided that', async () => {
    const dueAt = PUBLISHED;
    const job = { name: 'Reports.send', schedule: '0 3 * * * UTC', dueAt };
    await database.dataSource.getRepository(ScheduledJob).insert(job);
    expect((await client.submit('/admin/jobs', '/admin/jobs/pause/Reports.send')).status).toBe(303);
    const { html } = await client.get('/admin/jobs');
    expect(html).toMatch(/data-label="State"><span class="badge[^"]*">Paused</);
    expect(html).not.toContain('/admin/jobs/run/Reports.send');
    expect((await client.submit('/admin/jobs', '/admin/jobs/resume/Reports.send')).status).toBe(303);
    const resumed = (await client.get('/admin/jobs')).html;
    expect(resumed).toContain('/admin/jobs/run/Reports.send');
    const token = /name="_csrf" value="([^"]+)"/.exec(resumed)?.[1] ?? '';
    const post = (path: string) => client.post(`/admin/jobs/${path}`, { _csrf: token });
    expect([(await post('resume/Reports.send')).status, (await post('pause/None.such')).status]).toEqual([
      409, 404,
    ]);
    const audited = await service.app.get(AuditLog).list({ subjectType: 'jobs' }, { limit: 2 });
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['jobs.resume', 'Reports.send'],
      ['jobs.pause', 'Reports.send'],
    ]);
  });

  it('shows which scheduled job no process has begun in time', async () => {
    const job = { schedule: '0 3 * * * UTC', startedAt: PUBLISHED, finishedAt: PUBLISHED };
    await database.dataSource.getRepository(ScheduledJob).insert([
      { ...job, name: 'Gone.run', dueAt: PUBLISHED },
      { ...job, name: 'Known.run', dueAt: new Date('2046-01-31T12:00:00.000Z') },
    ]);
    const { html } = await client.get('/admin/jobs');
    const states = [...html.matchAll(/data-label="State">(.*?)<\/td>/g)].map(([, cell = '']) =>
      textIn({ html: cell }),
    );
    expect(states.map((state) => state.trim().split(/\s/)[0])).toEqual(['Overdue', 'OK']);
  });

  it('shows the title of a job, if its declaration has one', async () => {
    const dueAt = new Date('2036-01-31T12:00:00.000Z');
    const job = { name: 'AuditRetentionJob.run', schedule: '30 3 * * * UTC', dueAt };
    await database.dataSource.getRepository(ScheduledJob).insert(job);
    const { html } = await client.get('/admin/jobs');
    const [declared] = service.app
      .get(DecoratedMethods)
      .find(schedulesOf)
      .filter(({ name }) => name === job.name);
    expect(html).toContain(`>${declared?.mark.title}<code class="row-note">${job.name}<`);
  });

  it('shows a title for each job of the service', () => {
    const jobs = service.app.get(DecoratedMethods).find(schedulesOf);
    expect(jobs.length).toBeGreaterThanOrEqual(4);
    expect(jobs.filter(({ mark }) => mark.title === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('shows how far runs of jobs are, and stops, retries and discards them', async () => {
    const runs = database.dataSource.getRepository(StoredRun);
    const ids: bigint[] = [];
    for (const run of [FAILED_RUN, RUNNING_RUN]) ids.push((await runs.save(runs.create(run))).id);
    const [failed, running] = ids;
    const { html } = await client.get('/admin/jobs');
    expect(html).toContain('Error: &lt;no carrier&gt;');
    expect(html).toContain('<progress class="row-note" value="120" max="400"');
    expect(html).not.toContain(`/admin/jobs/runs/${running}/retry`);
    const paths = [`${running}/stop`, `${failed}/retry`, `${failed}/stop`, `${failed}/discard`];
    for (const path of paths) {
      expect((await client.submit('/admin/jobs', `/admin/jobs/runs/${path}`)).status).toBe(303);
    }
    expect(await runs.find()).toMatchObject([{ id: running, state: 'stopped', lockedBy: 'a process' }]);
    expect((await client.get('/admin/jobs')).html).not.toContain(`/admin/jobs/runs/${running}/`);
    const audited = await service.app.get(AuditLog).list({ subjectType: 'jobs' }, { limit: 4 });
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toEqual(
      paths.toReversed().map((path) => [`jobs.${path.split('/')[1]}`, `run ${path.split('/')[0]}`]),
    );
  });

  it('refuses decisions without the scope', async () => {
    await store({});
    const viewer = await openConsole(service, await service.keyWith('admin:read'));
    const { html } = await viewer.get('/admin/jobs');
    expect(html).toContain('Mails.welcome(PetCreated)');
    expect(html).not.toContain('/retry');
    expect((await viewer.post('/admin/jobs/retry', {})).status).toBe(403);
  });
});
