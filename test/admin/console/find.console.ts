import { readFileSync } from 'node:fs';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { ConsoleNavigation } from '../../../src/admin/console/frame/navigation';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { tokenHint } from '../../../src/platform/security/api-key-token';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole, unescaped } from '../../support/service/console';

describeOneEngine('The page that finds anything', (engine) => {
  let service: TestService;
  let client: ConsoleClient;
  let token: string;
  let keyId: string;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, await service.keyWith('admin:read'));
    for (const name of ['Rex', 'rexy', 'T-Rex', 'REXONA']) {
      await service.post('/v1/pets', { name, categoryId: 1 });
    }
    const made = await service.app.get(ApiKeysService).create({ name: 'Checkout', scopes: ['pets:read'] });
    [token, keyId] = [made.token, made.key.id];
    const headers = { 'x-request-id': 'quoted-1' };
    for (let i = 0; i < 2; i++) await service.fetch('/v1/pets?limit=0', { headers });
    await service.app.get(RequestLog).write();
  });
  afterAll(() => service.stop());

  /** What is found, by its sort, as a person sees it while typing. */
  async function found(text: string, who = client): Promise<Record<string, string[]>> {
    const { html } = await who.get(`/admin/find?q=${encodeURIComponent(text)}`, { 'HX-Request': 'true' });
    const groups = [...html.matchAll(/<section aria-label="([^"]*)">([\s\S]*?)<\/section>/g)];
    return Object.fromEntries(
      groups.map(([, title = '', items = '']) => [
        title,
        [...items.matchAll(/<a href="([^"]*)"><bdi>([^<]*)<\/bdi>/g)].map(
          ([, path = '', name = '']) => `${unescaped(name)} ${unescaped(path)}`,
        ),
      ]),
    );
  }

  it.each([
    ['backup', 'back-up'],
    ['rotate', 'replace-a-key-without-an-interruption'],
    ['read-only', 'stop-all-writes-for-a-while'],
    ['CORS', 'call-the-service-from-a-web-page'],
  ])('finds help by a word of its question or its answer: %s', async (word, id) => {
    expect((await found(word))['Help']).toContainEqual(expect.stringMatching(new RegExp(`#${id}$`)));
  });

  it('is linked from every page, even without JavaScript', async () => {
    const { html } = await client.get('/admin/sessions');
    expect(html).toContain('href="/admin/find"');
    expect((await client.get('/admin/find')).html).toMatch(
      /<form class="find-box" method="get" action="\/admin\/find"/,
    );
  });

  it('finds records by the beginning of their name in any letter case, and by their id', async () => {
    expect((await found('rex'))['Pets']).toEqual([
      'rexy /admin/records/pets/2',
      'Rex /admin/records/pets/1',
      'REXONA /admin/records/pets/4',
    ]);
    for (const text of ['3', '#3', 'pet 3', 'pets/3']) {
      expect([text, (await found(text))['Pets']]).toEqual([text, ['T-Rex /admin/records/pets/3']]);
    }
    expect(await found('key 3')).toEqual({});
  });

  it('finds API keys by the beginning of their name or token, by hint and by id, but not by the whole token', async () => {
    const key = [`Checkout /admin/keys/${keyId}`];
    for (const text of ['check', token.slice(0, 9), tokenHint(token), keyId]) {
      expect((await found(text))['API keys']).toEqual(key);
    }
    const { location } = await client.get(`/admin/find?q=${token}`);
    expect(location).toBe(`/admin/find?q=${encodeURIComponent(tokenHint(token))}`);
  });

  it('finds requests by their id, and audit events by number, subject and actor', async () => {
    expect((await found('quoted-1'))['Requests']).toHaveLength(2);
    expect((await client.get('/admin/find?q=9223372036854775807')).status).toBe(200);
    expect((await found('event 1'))['Audit']).toEqual([expect.stringMatching(/ \/admin\/audit\/1$/)]);
    expect((await found(`keys/${keyId}`))['Audit']).toEqual([
      expect.stringMatching(new RegExp(`keys/${keyId} /admin/audit[?]subject=keys%2F${keyId}$`)),
    ]);
    const [, actor = ''] =
      /<span class="who-id">([^<]*)</.exec((await client.get('/admin/sessions')).html) ?? [];
    expect((await found(actor))['Audit']).toEqual([
      expect.stringMatching(new RegExp(`${actor} /admin/audit[?]actor=${actor}$`)),
    ]);
  });

  it('finds the pages that the person may open', async () => {
    service.app
      .get(ConsoleNavigation, { strict: false })
      .add({ title: 'Vault', path: '/admin/vault', icon: 'key', order: 90, scopes: ['admin:jobs'] });
    expect((await found('audi'))['Pages']).toEqual(['Audit /admin/audit']);
    expect(await found('vault')).toEqual({});
    const all = await openConsole(service, service.key);
    expect((await found('vault', all))['Pages']).toEqual(['Vault /admin/vault']);
  });

  it('finds questions by words of them, with the answer on the page of help', async () => {
    for (const text of ['leaked key', 'How do I end a leaked key?']) {
      expect((await found(text))['Help']).toEqual([
        'How do I end a leaked key? /admin/help#end-a-leaked-key',
      ]);
    }
    const { html } = await client.get('/admin/help');
    expect(html).toMatch(/id="end-a-leaked-key">[^]*?petstore keys revoke/);
    const questions = readFileSync('docs/how-do-i.md', 'utf8').match(/^### .*/gm) ?? [];
    expect(questions.length).toBeGreaterThanOrEqual(30);
    const ids = [...html.matchAll(/class="answer" id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(questions.length);
    // The console has no other page of the documentation: it names the files.
    expect(html).toMatch(/<code>docs\/operations\/recovery\.md<\/code>/);
    expect(html).not.toContain('.md"');
  });

  it('opens the page whose title is typed when the form is sent, whatever else has the word', async () => {
    expect((await client.get('/admin/find?q=audit')).location).toBe('/admin/audit');
  });

  it('opens the only result when the form is sent', async () => {
    expect((await client.get('/admin/find?q=T-Rex')).location).toBe('/admin/records/pets/3');
    const several = await client.get('/admin/find?q=rex');
    expect([several.status, several.html.includes('value="rex"')]).toEqual([200, true]);
  });

  it.each(['nothing like it', '%', '\u0000', '9'.repeat(19), "' OR 1=1 --", 'x'.repeat(5_000)])(
    'says that nothing was found: %j',
    async (text) => {
      const { status, html } = await client.get(`/admin/find?q=${encodeURIComponent(text)}`);
      expect(status).toBe(200);
      expect(html).toMatch(/id="found" class="found">\s*<p role="status">/);
    },
  );
});
