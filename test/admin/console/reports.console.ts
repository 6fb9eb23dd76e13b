import { describeOneEngine } from '../../support/databases/databases';
import { operationsOf, servedDocument } from '../../support/service/served-document';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { emptyIn } from './support/said';
import { KeyUsage } from '../../../src/auth/usage/key-usage';
import { OperationUsesRepository } from '../../../src/auth/usage/operation-uses.repository';

describeOneEngine('The reports in the console', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeEach(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
  });
  afterEach(() => service.stop());

  async function report(path = '', query: Record<string, string> = {}): Promise<string> {
    const { status, html } = await client.get(
      `/admin/reports${path}?${new URLSearchParams(query).toString()}`,
    );
    expect(status).toBe(200);
    return html;
  }

  /** What a chart of calls says to those who do not see it. */
  function callsIn(html: string): string {
    return /id="[^"]+-text" hidden>([^<]*)</.exec(html)?.[1] ?? '';
  }

  /** Calls getPet and lists some pets, and lets that be written. */
  async function call(): Promise<void> {
    for (let i = 0; i < 4; i++) await service.fetch('/v1/pets/1');
    await service.fetch('/v1/pets');
    await service.app.get(KeyUsage).flush();
  }

  it('show when an operation will be removed, and that no client calls it', async () => {
    const html = await report();
    expect(html).toContain('getPet');
    expect(html).toContain('5 Dec 2030');
    expect(emptyIn({ html })).toBeDefined();
  });

  it('show who calls a deprecated operation, and how often', async () => {
    await call();
    const html = await report();
    expect(callsIn(html)).toMatch(/^4 .*\bgetPet\b/);
    expect(html).toMatch(/href="\/admin\/keys\/key_[^"]*"><bdi>test<\/bdi><\/a>/);
    expect(html).not.toContain('listPets');
  });

  it('show what keys call, for one operation if chosen', async () => {
    expect(emptyIn({ html: await report('/usage') })).toBeDefined();
    await call();
    const all = await report('/usage');
    expect(callsIn(all)).toMatch(/^5 .*\b30\b/);
    expect(all).toContain('>getPet</td>');
    const some = await report('/usage', { operation: 'listPets', days: '7', key: '' });
    expect(callsIn(some)).toMatch(/^1 .*\b7\b/);
    expect(some).not.toContain('>getPet</td>');
    const days = [...some.matchAll(/<a class="chart-hint" href="([^"]*)"/g)];
    const day = await client.get((days.at(-1)?.[1] ?? '').replaceAll('&amp;', '&'));
    expect(day.html).toMatch(/<option value="listPets"\s+selected>/);
    expect(day.html).toContain(`value="${new Date().toISOString().slice(0, 10)}T00:00`);
    const strange = await report('/usage', { key: 'key_none' });
    expect(emptyIn({ html: strange })).toBeDefined();
    expect(strange).toMatch(/<option value="key_none"\s+selected>key_none</);
  });

  it('draw no days before the first call, unless there were calls before them', async () => {
    await call();
    const days = async (period: string) =>
      (await report('/usage', { days: period })).match(/<th scope="row">(?:<a [^>]*>)?\d+ \w+</g);
    expect(await days('30')).toHaveLength(1);
    const uses = service.app.get(OperationUsesRepository);
    const add = (daysAgo: number) => {
      const at = new Date(Date.now() - daysAgo * 86_400_000);
      const day = at.toISOString().slice(0, 10);
      return uses.add({ keyId: 'key_x', operation: 'getPet', day, count: 1n, lastUsedAt: at });
    };
    await add(2);
    expect(await days('30')).toHaveLength(3);
    await add(20);
    expect(await days('7')).toHaveLength(7);
    expect(await days('30')).toHaveLength(21);
  });

  it('offer only operations that are called with a key', async () => {
    const html = await report('/usage');
    const [, select = ''] = /<select[^>]*name="operation"[^>]*>([\s\S]*?)<\/select>/.exec(html) ?? [];
    const offered = [...select.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    const withKey = operationsOf(await servedDocument(service)).filter(({ security }) => security?.length);
    const names = withKey.map(({ operationId }) => operationId);
    expect(names).toContain('listPets');
    expect(offered.sort()).toEqual(['', ...names.sort()]);
  });
});
