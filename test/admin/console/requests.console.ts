import { ONCE_FIELD, OneTimeForms } from '../../../src/admin/console/sessions/one-time-forms';
import { OperationRegistry } from '../../../src/platform/http/operations/operation-registry';
import { startPostgresServer } from '../../support/databases/postgres-server';
import { startTestService, type TestService } from '../../support/service/service';
import { startOn } from '../../contract/support/start';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import {
  type ConsoleResponse,
  ConsoleClient,
  hiddenFields,
  openConsole,
} from '../../support/service/console';
import { codesIn } from './support/said';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

let service: TestService;

beforeAll(async () => {
  service = await startTestService('sqlite', { MANAGEMENT_ALLOWED_HOSTS: 'Admin.example.com' });
});
afterAll(() => service.stop());

const header = ({ raw }: ConsoleResponse, name: string) => raw.headers.get(name)?.join();

/** Every page there is that can be asked for without knowing an id. */
function pages(): string[] {
  return service.app
    .get(OperationRegistry)
    .of('management')
    .filter(({ method, path }) => method === 'GET' && /^\/admin(\/|$)/.test(path) && !path.includes(':'))
    .map(({ path }) => path);
}

describe('Every page of the console', () => {
  it('forbids browsers to load from elsewhere, to run inline scripts, and to cache', async () => {
    const client = await openConsole(service, service.key);
    expect(pages().length).toBeGreaterThan(2);
    for (const path of [...pages(), '/admin/nothing/here', '/admin/assets/x.css']) {
      const response = await client.get(path);
      expect([path, header(response, 'content-security-policy')]).toEqual([path, POLICY]);
      expect([path, header(response, 'cache-control')]).toEqual([path, 'no-store']);
      expect(header(response, 'x-content-type-options')).toBe('nosniff');
      expect(header(response, 'referrer-policy')).toBe('same-origin');
      expect(header(response, 'cross-origin-opener-policy')).toBe('same-origin');
      expect(header(response, 'content-type')).toBe('text/html; charset=utf-8');
      expect([path, /<style|<script>| style="| on[a-z]+="|javascript:/.exec(response.html)]).toEqual([
        path,
        null,
      ]);
    }
  });

  it('leads to the sign-in without a session', async () => {
    const client = await openConsole(service);
    for (const path of pages().filter((each) => !each.startsWith('/admin/sign-in'))) {
      expect([path, (await client.get(path)).location]).toEqual([
        path,
        path === '/admin' ? '/admin/sign-in' : `/admin/sign-in?return=${encodeURIComponent(path)}`,
      ]);
    }
  });

  it('responds to HEAD without a body', async () => {
    const { raw } = await (await openConsole(service)).head('/admin/sign-in');
    expect([raw.status, raw.body]).toEqual([200, '']);
  });
});

describe('The files of the console', () => {
  it('are cached by browsers for ever, under names with a hash of their content', async () => {
    const client = await openConsole(service);
    const { html } = await client.get('/admin/sign-in');
    const paths = [...html.matchAll(/"(\/admin\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(paths.map((path) => path.replace(/\.[0-9a-f]{16}\./, '.')).sort()).toEqual(
      ['console.css', 'console.js', 'favicon.svg', 'htmx.js', 'picker.js'].map(
        (name) => `/admin/assets/${name}`,
      ),
    );
    for (const path of paths) {
      const response = await client.get(path);
      expect(response.status).toBe(200);
      expect(header(response, 'cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('are 404 for other names', async () => {
    const client = await openConsole(service);
    for (const name of ['console.css', '..%2fconsole.module.js', '%2e%2e%2fvisit.js']) {
      expect((await client.get(`/admin/assets/${name}`)).status).toBe(404);
    }
  });
});

describe('The host name of the console', () => {
  it.each(
    '127.0.0.1 127.0.0.1:3001 [::1]:3001 localhost LOCALHOST:80 10.1.2.3 admin.example.com:8443'.split(' '),
  )('may be %s', async (host) => {
    const client = await openConsole(service);
    expect((await client.get('/admin/sign-in', { Host: host })).status).toBe(200);
  });

  it.each([
    'petstore.test',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'admin.example.com.',
    'xadmin.example.com',
  ])('may not be %s, because of DNS rebinding', async (host) => {
    const client = await openConsole(service, service.key);
    for (const path of ['/admin', '/admin/sessions', '/admin/sign-in']) {
      const response = await client.get(path, { Host: host });
      expect([response.status, response.html.includes('MANAGEMENT_ALLOWED_HOSTS')]).toEqual([421, true]);
      expect(response.html).not.toContain('action="/admin/sign-in"');
    }
    const signIn = await client.post('/admin/sign-in', { key: service.key }, { Host: host });
    expect([signIn.status, header(signIn, 'set-cookie')]).toEqual([421, undefined]);
  });
});

describe('A change in the console', () => {
  const stillIn = async (client: ConsoleClient) => (await client.get('/admin/sessions')).status === 200;

  it('needs the token of the session', async () => {
    const client = await openConsole(service, service.key);
    const stranger = await openConsole(service, service.key);
    const { html } = await stranger.get('/admin/sessions');
    const strange = hiddenFields(html, '/admin/sign-out');
    for (const fields of [{}, { _csrf: '' }, { _csrf: 'x' }, strange]) {
      const response = await client.post('/admin/sign-out', fields);
      expect([response.status, codesIn(response)]).toEqual([403, ['not_allowed']]);
    }
    expect(await stillIn(client)).toBe(true);
  });

  it('may have its token in a header field', async () => {
    const client = await openConsole(service, service.key);
    const { _csrf = '' } = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    expect((await client.post('/admin/sign-out', {}, { 'X-CSRF-Token': _csrf })).status).toBe(303);
  });

  it.each<Record<string, string>>([
    { Origin: 'https://example.com' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('is refused when the browser sends %j', async (headers) => {
    const client = await openConsole(service, service.key);
    const fields = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    expect((await client.post('/admin/sign-out', fields, headers)).status).toBe(403);
    expect(await stillIn(client)).toBe(true);
    const signIn = await client.post('/admin/sign-in', { key: service.key }, headers);
    expect([signIn.status, header(signIn, 'set-cookie')]).toEqual([403, undefined]);
  });

  it('is refused when the browser sends no origin, even for a sign-in', async () => {
    const client = await openConsole(service, service.key);
    const fields = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    client.saysOrigin = false;
    expect((await client.post('/admin/sign-out', fields)).status).toBe(403);
    expect(await stillIn(client)).toBe(true);
    for (const path of ['/admin/sign-in', '/admin/theme']) {
      const response = await client.post(path, { key: service.key, theme: 'dark' });
      expect([path, response.status, header(response, 'set-cookie')]).toEqual([path, 403, undefined]);
    }
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await client.post('/admin/sign-in', { key: service.key }, headers)).status).toBe(303);
  });

  it('is accepted from a page of the console itself', async () => {
    const client = await openConsole(service, service.key);
    const fields = hiddenFields((await client.get('/admin/sessions')).html, '/admin/sign-out');
    const headers = { Origin: `http://127.0.0.1:${service.managementPort}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await client.post('/admin/sign-out', fields, headers)).status).toBe(303);
  });

  it('is refused on a page when it is no form or too large', async () => {
    const client = await openConsole(service, service.key);
    const json = await client.post('/admin/sign-in', { key: 'x' }, { 'Content-Type': 'application/json' });
    expect(json.status).toBe(415);
    const large = await client.post('/admin/sign-in', { key: 'x'.repeat(1_048_577) });
    expect(large.status).toBe(413);
    expect([json, large].map(codesIn)).toEqual([['not_a_form'], ['form_too_large']]);
  });

  it('does nothing and says so after the session is over', async () => {
    const response = await (await openConsole(service)).post('/admin/sign-out-everywhere', {});
    expect([response.status, codesIn(response)]).toEqual([401, ['not_signed_in']]);
  });

  it('is carried out once when its form is sent twice', async () => {
    const forms = service.app.get(OneTimeForms);
    const form = new URLSearchParams({ [ONCE_FIELD]: crypto.randomUUID() });
    let count = 0;
    const work = async () => (count += 1);
    await forms.runOnce(form, work);
    await expect(forms.runOnce(form, work)).rejects.toMatchObject({ status: 409 });
    expect(count).toBe(1);
    const failing = new URLSearchParams({ [ONCE_FIELD]: crypto.randomUUID() });
    const fail = () => Promise.reject(new Error('refused'));
    await expect(forms.runOnce(failing, fail)).rejects.toThrow('refused');
    await expect(forms.runOnce(failing, work)).resolves.toBe(2);
    await expect(forms.runOnce(new URLSearchParams(), work)).rejects.toMatchObject({ status: 400 });
  });
});

describe('An error of the console', () => {
  /** Where the links of an error page lead to. */
  const actionsIn = (html: string) => {
    const [, actions = ''] = /<p class="actions">([\s\S]*?)<\/p>/.exec(html) ?? [];
    return [...actions.matchAll(/href="([^"]*)"/g)].map(([, path]) => path);
  };

  it('is a page with the request id, and JSON elsewhere on the port', async () => {
    const client = await openConsole(service);
    const response = await client.get('/admin/nothing', { 'X-Request-Id': 'look-for-me' });
    expect(response.status).toBe(404);
    expect(response.html).toContain('look-for-me');
    expect(header(response, 'x-request-id')).toBe('look-for-me');
    const other = await client.get('/adminx');
    expect(header(other, 'content-type')).toContain('application/json');
    expect((await client.post('/admin/sessions', {})).status).toBe(405);
  });

  it('has the navigation for a person with a session, and links to the page above', async () => {
    const client = await openConsole(service, service.key);
    const missing = await client.get('/admin/keys/key_1/nothing');
    const wrong = await client.post('/admin/sessions', {});
    const record = await client.get('/admin/records/pets/7');
    expect([missing.status, wrong.status, record.status]).toEqual([404, 405, 404]);
    for (const { html } of [missing, wrong, record]) {
      expect(html).toContain('<nav class="sidebar"');
      expect(html).toContain('action="/admin/sign-out"');
    }
    expect(actionsIn(missing.html)).toEqual(['/admin/keys', '/admin']);
    expect(actionsIn(record.html)).toEqual(['/admin/records/pets', '/admin']);
    expect(actionsIn(wrong.html)).toEqual(['/admin']);
    expect([missing, wrong, record].map(codesIn)).toEqual([
      ['not_found'],
      ['method_not_allowed'],
      ['record_not_found'],
    ]);
  });

  it('reveals nothing without a session or under a host name that is not allowed', async () => {
    const stranger = await openConsole(service);
    const client = await openConsole(service, service.key);
    for (const { status, html } of [
      await stranger.get('/admin/keys/nothing/here'),
      await stranger.post('/admin/sessions', {}),
      await client.get('/admin/keys/nothing/here', { Host: `petstore.test:${service.managementPort}` }),
    ]) {
      expect([404, 405, 421]).toContain(status);
      expect(html).not.toMatch(/sidebar|sign-out/);
      expect(actionsIn(html)).toEqual(['/admin']);
    }
  });

  it('is a page when the database is away', async () => {
    const server = await startPostgresServer();
    const running = await startOn(server.url, { MIGRATE_ON_START: 'true' });
    try {
      const client = new ConsoleClient(running.managementPort);
      const { token } = await running.app
        .get(ApiKeysService)
        .create({ name: 'operator', scopes: ['admin:read'] });
      await client.signIn(token);
      await server.kill('SIGKILL');
      for (const response of [
        await client.get('/admin/sessions'),
        await client.post('/admin/sign-in', { key: token }),
      ]) {
        expect([response.status, codesIn(response)]).toEqual([503, ['service_unavailable']]);
      }
      const path = '/admin/sessions?a=1';
      expect(actionsIn((await client.get(path)).html)).toEqual([path, '/admin']);
      expect((await client.get('/admin/nothing')).status).toBe(404);
      expect((await client.get('/admin/sign-in')).status).toBe(200);
    } finally {
      await running.stop();
      await server.stop();
    }
  });
});

describe('The colour scheme of the console', () => {
  it('is chosen without JavaScript, with or without a session, and kept in a cookie', async () => {
    const client = await openConsole(service);
    const fields = hiddenFields((await client.get('/admin/sign-in')).html, '/admin/theme');
    const response = await client.post('/admin/theme', { ...fields, theme: 'dark' });
    expect(response).toMatchObject({ status: 303, location: '/admin/sign-in' });
    expect((await client.get('/admin/sign-in')).html).toContain('data-theme="dark"');
    await client.post('/admin/theme', { theme: '"><script>' });
    expect((await client.get('/admin/sign-in')).html).toContain('data-theme="system"');
  });
});
