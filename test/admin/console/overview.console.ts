import { DataSource, IsNull } from 'typeorm';
import { failed } from '../../../src/admin/database/drill';
import { DrillLog } from '../../../src/admin/database/drill-log.service';
import { AdminSessionsRepository } from '../../../src/admin/console/sessions/admin-sessions.repository';
import { ServingProcess } from '../../../src/admin/statistics/serving-process.entity';
import { TrafficRecorder } from '../../../src/admin/statistics/traffic-recorder.service';
import { ApiKey } from '../../../src/auth/api-key.entity';
import { Database } from '../../../src/platform/database/database';
import { MINUTE_MS } from '../../../src/platform/values/calendar';
import { createToken } from '../../../src/platform/security/api-key-token';
import { Metrics } from '../../../src/platform/telemetry/metrics';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { codesIn, noticeIn } from './support/said';

describeOneEngine('The overview', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeEach(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
  });
  afterEach(() => service.stop());

  async function overview(query = ''): Promise<string> {
    const { status, html } = await client.get(`/admin/overview${query}`);
    expect(status).toBe(200);
    return html;
  }

  /** The value of a tile. */
  function tile(html: string, label: string): string | undefined {
    return new RegExp(`tile-label">${label}</span>\\s*<span class="tile-value">([^<]*)<`).exec(html)?.[1];
  }

  /** The numbers that the tiles say below their values, by label: those of pets and of traffic. Other record types have more. */
  function notes(html: string): Record<string, string> {
    const found = html.matchAll(
      /tile-label">([^<]*)<\/span>\s*<span[^>]*>[^<]*<\/span>\s*<span class="tile-note">([^<]*)</g,
    );
    const traffic = /^(Pets|Requests|Request rate|Failed.*|Refused.*|Latency.*)$/;
    return Object.fromEntries(
      [...found]
        .filter(([, label = '']) => traffic.test(label))
        .map(([, label = '', note = '']) => [label, (note.match(/\d[\d.]*(?:\/\w+)?/g) ?? []).join(' ')]),
    );
  }

  /** Counts requests as if they had been answered in a minute that is over, and writes them. */
  async function serve(minutesAgo: number, ...statuses: number[]): Promise<void> {
    const recorder = service.app.get(TrafficRecorder);
    const { requests } = service.app.get(Metrics);
    const begun = recorder.record(Date.now() - minutesAgo * MINUTE_MS);
    for (const status of statuses) {
      requests.begin();
      requests.end('GET', { template: '/v1/pets' }, status, 40);
    }
    await Promise.all([begun, recorder.record(Date.now())]);
  }

  it('is the first page', async () => {
    expect((await client.get('/admin')).location).toBe('/admin/overview');
  });

  it('says where there are no data yet', async () => {
    const html = await overview();
    expect(tile(html, 'Pets')).toBe('0');
    expect(tile(html, 'Latency, p95')).toBe('–');
    for (const heading of ['Traffic', 'Pets added']) {
      expect(html).toMatch(new RegExp(`<h2>${heading}</h2>(?:(?!</section>)[^])*<div class="empty">`));
    }
    expect(html).toContain('class="state state-ok"');
    expect(html).not.toContain('role="img"');
  });

  it('counts the requests that have just come, as the log of requests does', async () => {
    for (let i = 0; i < 3; i += 1) await service.fetch('/v1/pets');
    await fetch(`${service.url}/docs`);
    await until(() => service.app.get(Metrics).requests.totals().requests === 3);
    const html = await overview();
    expect(tile(html, 'Requests')).toBe('3');
    expect(tile(html, 'Refused \\(4xx\\)')).toBe('0%');
    expect(tile(html, 'Latency, p95')).toMatch(/\d m?s$/);
    expect(html).not.toContain('id="requests"><h2>Traffic</h2>');
  });

  it('shows records, traffic, keys and deprecated calls in figures and charts', async () => {
    for (const status of ['available', 'available', 'sold']) {
      await service.post('/v1/pets', { name: 'Rex', categoryId: 1, status });
    }
    await until(() => service.app.get(Metrics).requests.totals().requests === 3);
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    const database = service.app.get(Database);
    await database.dataSource.getRepository(ApiKey).update({ lastUsedAt: IsNull() }, { createdAt: longAgo });
    await serve(2, 200, 200, 200, 200, 200, 200, 404, 404, 404, 500);
    const html = await overview('?range=1h');
    expect(tile(html, 'Pets')).toBe('3');
    // Ten, and the three that added the pets.
    expect(tile(html, 'Requests')).toBe('13');
    expect(tile(html, 'Failed \\(5xx\\)')).toBe('7.7%');
    expect(tile(html, 'Refused \\(4xx\\)')).toBe('23.1%');
    expect(tile(html, 'Latency, p95')).toMatch(/\d m?s$/);
    expect(html).toMatch(/-text" hidden>13 [^<]*\b23\.1% [^<]*\b7\.7% /);
    expect(html).toContain('href="/admin/records/pets?not-set=status"');
    expect(html).toMatch(/Sold<\/a><span class="bar-value">1<\/span><span class="bar-share">33\.3%/);
    expect(html).toMatch(/-text" hidden>3 pets [^<]*\b30 /);
    expect(html).toMatch(/href="\/admin\/keys\/key_\w+">[^]*?<span class="badges"><span class="badge /);
    expect(html).toContain('getPet');
    expect(html.match(/role="img"/g)).toHaveLength(3);
    expect(html).toContain('aria-current="true">1 hour<');
  });

  it('shows the chosen time range in every tile, and averages over serving time only', async () => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const added = new Date(Date.now() - 3 * 60 * MINUTE_MS).toISOString();
    const stored = engine === 'sqlite' ? added.replace(/[TZ]/g, ' ').trim() : added;
    const database = service.app.get(Database);
    await database.dataSource.query(`UPDATE "pets" SET "created_at" = '${stored}'`);
    await until(() => service.app.get(Metrics).requests.totals().requests === 1);
    // The request that added the pet is of the present minute.
    await serve(180, ...Array.from({ length: 300 }, () => 200));
    await serve(2, 200, 404, 500);

    const hour = await overview('?range=1h');
    expect(tile(hour, 'Requests')).toBe('4');
    expect(tile(hour, 'Request rate')).toBe('2/min');
    expect(tile(hour, 'Failed \\(5xx\\)')).toBe('25%');
    expect(notes(hour)).toEqual({
      Pets: '0',
      Requests: '',
      'Request rate': '2 3/min',
      'Failed (5xx)': '1 4',
      'Refused (4xx)': '1 4',
      'Latency, p95': expect.stringMatching(/^\d/),
    });

    const day = await overview('?range=24h');
    expect(tile(day, 'Requests')).toBe('304');
    expect(tile(day, 'Request rate')).toBe('1.69/s');
    expect(tile(day, 'Failed \\(5xx\\)')).toBe('0.3%');
    expect(notes(day)).toMatchObject({
      Pets: '1 24',
      'Request rate': '3 24 5/s',
      'Failed (5xx)': '1 304 24',
    });
  });

  it('distinguishes times without a process from times without requests, and begins with the first process', async () => {
    const database = service.app.get(Database);
    const processes = () => database.dataSource.getRepository(ServingProcess).find();
    await until(async () => (await processes()).length > 0);
    const [process] = await processes();
    const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
    const earlier = { id: 'earlier', startedAt: ago(35.5), seenAt: ago(25.5), leftAt: ago(25.5) };
    await database.dataSource
      .getRepository(ServingProcess)
      .save({ ...(process as ServingProcess), ...earlier });
    await serve(30, 200);
    const html = await overview('?range=24h');
    // Of a day there is half an hour, minute by minute.
    const rows = [
      ...html.matchAll(
        /<tr><th scope="row">(?:<a[^>]*>)?[^<]*(?:<\/a>)?<\/th><td class="number">([^<]*)<\/td><td[^>]*>[^<]*<\/td><td/g,
      ),
    ].map(([, value]) => value);
    expect(rows.length).toBeGreaterThan(34);
    expect(rows.length).toBeLessThan(38);
    expect([...new Set(rows)].sort()).toEqual(['0', '1', expect.stringMatching(/^\D+$/)]);
    expect(rows.filter((value) => /^\D+$/.test(value ?? '')).length).toBeGreaterThan(20);
    expect(rows.slice(0, 9)).toContain('1');
    expect(rows.slice(0, 9).join('')).toMatch(/^\d+$/);
    expect(html.match(/<rect class="chart-gap"/g)).toHaveLength(2);
  });

  it('links each step of a chart to what happened in it', async () => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await serve(2, 200);
    const html = await overview('?range=1h');
    const paths = [...html.matchAll(/<th scope="row"><a href="([^"]*)"/g)].map(([, path = '']) =>
      path.replaceAll('&amp;', '&'),
    );
    const last = (page: string) => paths.findLast((path) => path.startsWith(page)) as string;
    const step = new URLSearchParams(last('/admin/requests').split('?')[1]);
    const [from, to] = ['from', 'to'].map((name) => Date.parse(`${step.get(name)}Z`));
    expect(Number(to) - Number(from)).toBe(MINUTE_MS);
    const requests = await client.get(last('/admin/requests'));
    expect(requests.html).toContain(`value="${step.get('from')}"`);
    const added = await client.get(last('/admin/records/pets'));
    expect(added.html).toMatch(/class="row-title"[^>]*><bdi class="text">Rex/);
  });

  it('shows the other tiles when one cannot be read', async () => {
    const { app } = service;
    await app.get(DataSource).query('ALTER TABLE "traffic_minutes" RENAME TO "elsewhere"');
    const html = await overview();
    expect(codesIn({ html })).toContain('unreadable');
    expect(tile(html, 'Pets')).toBe('0');
    // What fails because of the database is told with its stack once a second, however many parts and pages it is.
    for (let i = 0; i < 5; i += 1) await overview();
    type Line = { readonly err?: object; readonly leftOut?: number };
    const lines = () =>
      service
        .log()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    const leftOut = () => lines().reduce((sum, line) => sum + (line.leftOut ?? 0), 0);
    const told = () => lines().filter(({ err }) => err).length;
    // What was left out is said at the end of its second.
    await until(() => told() + leftOut() >= 6);
    expect(leftOut()).toBeGreaterThan(0);
  });

  it('refreshes itself without extending the session or consuming a notice', async () => {
    const html = await overview();
    expect(html).toContain('hx-trigger="every 30s"');
    const sessions = service.app.get(AdminSessionsRepository, { strict: false });
    const [, token = ''] = [...client.cookies][0] ?? [];
    expect(token).not.toBe('');
    const seen = async () => {
      const rows = await service.app
        .get(DataSource)
        .query<{ id: string; last_seen_at: unknown }[]>('SELECT * FROM "admin_sessions"');
      return rows[0] as { id: string; last_seen_at: unknown };
    };
    const { id } = await seen();
    await sessions.update(id, {
      lastSeenAt: new Date(Date.now() - 5 * MINUTE_MS),
      notice: JSON.stringify({ tone: 'success', text: 'It was done.' }),
    });
    const before = await seen();
    const refreshed = await client.get('/admin/overview', { 'X-Background': 'true', 'HX-Request': 'true' });
    expect(noticeIn(refreshed)).toBeUndefined();
    expect(await seen()).toEqual(before);
    expect(noticeIn({ html: await overview() })).toMatchObject({ text: 'It was done.' });
    expect((await seen()).last_seen_at).not.toEqual(before.last_seen_at);
  });
});

describeOneEngine('The page of the system', (engine) => {
  it('shows versions, nodes, the database, migrations and settings, but no secret', async () => {
    const token = createToken();
    const service = await startTestService(engine, { BOOTSTRAP_API_KEY: token });
    try {
      const client = await openConsole(service, service.key);
      await until(async () => (await client.get('/admin/system')).html.includes('data-label="Process"'));
      const { status, html } = await client.get('/admin/system');
      expect(status).toBe(200);
      expect(html).toContain(engine === 'sqlite' ? 'SQLite 3.' : 'PostgreSQL ');
      const restored = /in a drill<\/dt><dd>(.*?)<\/dd>/;
      expect(restored.exec(html)?.[1]).toBe('never');
      await service.app.get(DrillLog, { strict: false }).record('petstore.backup', failed([]));
      expect(restored.exec((await client.get('/admin/system')).html)?.[1]).toContain('<time');
      const migrations = await client.get('/admin/system/migrations');
      expect(migrations.html).toMatch(/<details class="more">[\s\S]*CreateSchema1763700044000/);
      expect(codesIn(migrations)).toEqual(['ok']);
      const settings = (await client.get('/admin/system/settings')).html;
      const [changed = '', defaults = ''] = settings.split('id="defaults"');
      expect(changed).toMatch(/BOOTSTRAP_API_KEY[\s\S]*\[redacted\]/);
      expect(defaults).toContain('DEPRECATED_OPERATIONS');
      expect(settings).not.toContain(token);
    } finally {
      await service.stop();
    }
  });
});
