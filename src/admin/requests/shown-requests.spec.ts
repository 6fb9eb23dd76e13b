import { DataSource } from 'typeorm';
import { CliInProcess } from '../../../test/cli/support/cli-in-process';
import { judgeSlow } from '../../../test/contract/support/judge-slow';
import { BarnsModule } from '../../../test/support/barns.module';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { type ConsoleClient, openConsole } from '../../../test/support/service/console';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import { until } from '../../../test/support/until';
import { VansModule } from '../../../test/support/vans.module';
import { LoggedRequest } from '../../platform/request-log/logged-request.entity';
import { RequestLog } from '../../platform/request-log/request-log';
import type { TimelineView } from '../../platform/tracing/timeline';
import { PHASE_WORDS } from './phase-words';

const as = (requestId: string) => ({ headers: { 'x-request-id': requestId } });

describeOneEngine('A request in the request log', (engine) => {
  let service: TestService;
  let client: ConsoleClient;
  let cli: CliInProcess;

  beforeAll(async () => {
    service = await withFeatures({ BarnsModule, VansModule }, () => startTestService(engine));
    judgeSlow(service, () => true);
    client = await openConsole(service, service.key);
    cli = new CliInProcess({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.stop());

  const requests = () => service.app.get(DataSource).getRepository(LoggedRequest);

  async function rowOf(requestId: string): Promise<LoggedRequest> {
    let found: LoggedRequest | null = null;
    await until(async () => {
      await service.app.get(RequestLog).write();
      found = await requests().findOneBy({ requestId });
      return found !== null;
    });
    return found as unknown as LoggedRequest;
  }

  it('is shown with its timeline by the command, as a table and as JSON', async () => {
    await service.fetch('/v1/vans/7', as('a-shown'));
    await rowOf('a-shown');
    const { stdout } = await cli.run('requests', 'show', 'a-shown');
    expect(stdout).toContain('AT MS\tMS\tCOUNT\tROWS\tWHAT\tPLACE');
    expect(stdout).toMatch(/\t7\t0\t +SELECT .* FROM "pets" .*\ttest\/support\/vans\.module\.ts:\d+\n/);
    const { items } = await cli.json<{ items: { timeline: TimelineView }[] }>('requests', 'show', 'a-shown');
    expect(items[0]?.timeline.statements).toMatchObject([{ count: 7 }]);
  });

  it('is shown with its timeline on its page of the console, as a table that needs no script', async () => {
    await service.fetch('/v1/vans/7', as('a-paged'));
    const { id } = await rowOf('a-paged');
    const { html } = await client.get(`/admin/requests/${id}`);
    const [, table = ''] = /<table class="waterfall [^"]*"[^>]*>(.*?)<\/table>/s.exec(html) ?? [];
    expect(table).toContain(PHASE_WORDS['handler']);
    expect(table).toMatch(/<code class="waterfall-statement">SELECT .* FROM &quot;pets&quot;/);
    expect(table).toMatch(/data-label="Count" class="number">7<\/td>/);
    expect(table).toMatch(/vans\.module\.ts:\d+/);
  });

  it('is shown with its wait for the process, in the console and by the commands', async () => {
    await service.fetch('/v1/vans/1', as('a-waited'));
    const { id } = await rowOf('a-waited');
    const waitMs = 1234.5;
    await requests().update({ id }, { waitMs, durationMs: waitMs + 1 });
    const { html } = await client.get(`/admin/requests/${id}`);
    expect(html).toMatch(/<dt>Duration<\/dt><dd>[^<]*, of which \d[^<]* waiting for the process/);
    expect((await client.get('/admin/requests?slow=100')).html).toMatch(/waited \d/);
    expect((await cli.run('requests', 'show', 'a-waited')).stdout).toContain(`waitMs\t${waitMs}\n`);
    expect((await cli.run('requests', 'list', '--request', 'a-waited')).stdout).toContain(`\t${waitMs}\t`);
  });

  it('to the console has neither search texts nor persons', async () => {
    client.headers['x-request-id'] = 's-console';
    await client.get('/admin/requests?operation=rosebud&address=rosebud&slow=rosebud&code=rosebud');
    client.headers = {};
    const row = await rowOf('s-console');
    expect(row).toMatchObject({ method: 'GET', route: '/admin/requests', status: 200, message: null });
    const stored = JSON.stringify(row, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const secret of ['rosebud', service.key, ...client.cookies.values()]) {
      expect(stored).not.toContain(secret);
    }
  });

  it('to the management port is searched by the method and route of the operation', async () => {
    await fetch(`${service.managementUrl}/barns/100`, as('s-found'));
    await rowOf('s-found');
    const { stdout } = await cli.run('requests', 'list', '--request', 's-found');
    expect(stdout).toContain('GET /barns/{count}');
    // The command line knows the modules of the project, and no other.
    const { stdout: pages } = await cli.run('requests', 'list', '--operation', 'GET /admin/requests');
    expect(pages).toContain('s-console');
    expect(pages).not.toContain('s-found');
  });
});
