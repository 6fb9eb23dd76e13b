import { KeyUsage } from '../../../src/auth/usage/key-usage';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { type ConsoleClient, hiddenFields, openConsole } from '../../support/service/console';

/** Roles of the elements of a table, which styles take from some browsers' tables when they stack their cells. */
const ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', td: 'cell' } as const;

describe('Tables of the console', () => {
  let service: TestService;
  let client: ConsoleClient;
  let petId: string;
  let eventId: bigint | undefined;
  let keyId: string | undefined;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    client = await openConsole(service, service.key);
    const created = await service.post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'sold' });
    petId = String(((await created.json()) as { id: unknown }).id);
    for (let i = 0; i < 2; i++) await service.fetch(`/v1/pets/${petId}`);
    await service.app.get(KeyUsage).flush();
    const [event] = await service.app.get(AuditLog).list({ action: 'sessions.sign_in' }, { limit: 1 });
    [eventId, keyId] = [event?.id, event?.actor];
    // The log of requests is written a little later.
    await until(async () =>
      (await client.get(`/admin/keys/${keyId}`)).html.includes('href="/admin/requests/'),
    );
  });
  afterAll(() => service.stop());

  it.each([
    ['records', 1, () => '/admin/records/pets'],
    ['records of a bulk change', 1, () => '/admin/records/pets/bulk?status=sold&set-status=available'],
    ['keys', 1, () => '/admin/keys'],
    ['a key', 2, () => `/admin/keys/${keyId}`],
    ['audit', 1, () => '/admin/audit'],
    ['an event', 1, () => `/admin/audit/${eventId}`],
    ['sessions', 1, () => '/admin/sessions'],
    ['system', 1, () => '/admin/system'],
    ['settings', 2, () => '/admin/system/settings'],
    ['migrations', 1, () => '/admin/system/migrations'],
    ['deprecations', 1, () => '/admin/reports'],
    ['usage', 1, () => '/admin/reports/usage'],
  ])('stay tables on small screens and label each value: %s', async (_name, count, path) => {
    const { status, html } = await client.get(path());
    expect(status).toBe(200);
    expectTables(html, count);
  });

  it('stay tables on small screens and label each value: a conflicting edit', async () => {
    const path = `/admin/records/pets/${petId}/edit`;
    const fields = { ...hiddenFields((await client.get(path)).html, path), name: 'Rex', categoryId: '1' };
    expect((await client.post(path, { ...fields, name: 'First' })).status).toBe(303);
    const { status, html } = await client.post(path, { ...fields, name: 'Second' });
    expect(status).toBe(409);
    expectTables(html, 1);
  });
});

function expectTables(html: string, count: number): void {
  const tables = html.match(/<table class="(?:[a-z-]+ )*stacking"[\s\S]*?<\/table>/g) ?? [];
  expect(tables).toHaveLength(count);
  for (const table of tables) {
    const tags = [...table.matchAll(/<(table|thead|tbody|tr|td|th)\b([^>]*)>/g)];
    for (const [tag, name = '', attributes = ''] of tags) {
      const heading = attributes.includes('scope="row"') ? 'rowheader' : 'columnheader';
      const role = name === 'th' ? heading : ROLES[name as keyof typeof ROLES];
      expect([tag, attributes.includes(` role="${role}"`)]).toEqual([tag, true]);
    }
    const headings = [...table.matchAll(/<th\s+scope="col"[^>]*>([\s\S]*?)<\/th>/g)].map(([, text = '']) =>
      text.replaceAll(/<[^>]*>/g, '').trim(),
    );
    const [row = ''] =
      /<tr[^>]*>(?:(?!<\/tr>)[\s\S])*<t[hd] (?:scope="row"|role="cell")[\s\S]*?<\/tr>/.exec(table) ?? [];
    const cells = [...row.matchAll(/<(?:td|th scope="row")([^>]*)>/g)].map(
      ([, attributes = '']) => attributes,
    );
    expect(cells).toHaveLength(headings.length);
    cells.forEach((attributes, i) => {
      const label = /data-label="([^"]*)"/.exec(attributes)?.[1];
      // What the row is about and what is told in a sentence speak for themselves.
      const speaks = attributes.includes('rowheader') || attributes.includes('prose');
      expect([headings[i], label]).toEqual([headings[i], speaks ? undefined : headings[i]]);
    });
  }
}
