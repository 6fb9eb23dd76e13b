import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole, textIn } from '../../support/service/console';
import { codesIn } from './support/said';

const TOKEN = /petk_[0-9A-Za-z]{49}/;

describeOneEngine('The pages about keys that are rotated', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    client = await openConsole(service, service.key);
  });
  afterAll(() => service.stop());

  const make = async (name: string) => (await keys.create({ name, scopes: ['pets:read'] })).key;
  const named = async (name: string) => (await keys.list()).filter((key) => key.name === name);

  /** What the page of a new key says of the key that it replaces. */
  const predecessorIn = (html: string) =>
    textIn({ html: /<p>[^<]*<a href="\/admin\/keys\/key_[\s\S]*?<\/p>/.exec(html)?.[0] ?? '' });

  it('say of the key before a rotation without overlap that it no longer works', async () => {
    const { id } = await make('rotated at once');
    const path = `/admin/keys/${id}/rotate`;
    const { html } = await client.submit(path, path, { overlap: '0' });
    expect(html).toMatch(TOKEN);
    expect(predecessorIn(html)).not.toMatch(/\d+ minutes/);
    expect((await keys.show(id)).status).not.toBe('active');
  });

  it('distinguish a key from its successor with the same name', async () => {
    const { key: successor } = await keys.rotate((await make('twins')).id, 3_600_000);
    const { html } = await client.get('/admin/keys?q=twins');
    const rows = [...html.matchAll(/<tr role="row">[\s\S]*?<\/tr>/g)].map(([row]) => row).slice(1);
    const link = `<a href="/admin/keys/${successor.id}">${successor.hint}</a>`;
    expect(rows.map((row) => row.includes(link))).toEqual(
      rows.map((row) => !row.includes(`href="/admin/keys/${successor.id}"><bdi>`)),
    );
    expect(rows).toHaveLength(2);
    expect(codesIn(await client.get(`/admin/keys/${successor.lineageId}`))).toContain('rotated');
    expect(codesIn(await client.get(`/admin/keys/${successor.id}`))).not.toContain('rotated');
  });

  it('rotate a key with an overlap and show the successor once', async () => {
    const { id } = await make('rotated');
    const issued = await client.submit(`/admin/keys/${id}/rotate`, `/admin/keys/${id}/rotate`, {
      overlap: '3600000',
    });
    expect(issued.html).toMatch(TOKEN);
    expect(predecessorIn(issued.html)).toMatch(new RegExp(`\\b${id} .*\\b59 minutes\\b`));
    const [old, successor] = await named('rotated');
    expect(successor).toMatchObject({ lineageId: id, status: 'active' });
    const left = Date.parse(old?.expiresAt as string) - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    const related = (label: string, of: unknown) =>
      expect.stringMatching(
        new RegExp(`<dt>${label}</dt><dd><ul class="plain"><li><a href="/admin/keys/${String(of)}">`),
      );
    expect((await client.get(`/admin/keys/${id}`)).html).toEqual(related('Replaced by', successor?.id));
    expect((await client.get(`/admin/keys/${successor?.id}`)).html).toEqual(related('Replaces', id));
  });
});
