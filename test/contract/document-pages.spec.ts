import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ERRORS_OF_ANY_REQUEST } from '../../src/platform/openapi/documented-errors';
import { operationsOf, type ServedDocument } from '../support/service/served-document';
import { startTestService, type TestService } from '../support/service/service';
import { ask } from './support/request';
import { codesOf } from './support/rule-errors';

const execute = promisify(execFile);

const FILES = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/guide', 'text/html; charset=utf-8'],
  ['/docs/guide.md', 'text/markdown; charset=utf-8'],
  ['/docs/llms.txt', 'text/plain; charset=utf-8'],
  ['/docs/openapi.json', 'application/json; charset=utf-8'],
  ['/docs/openapi-3.1.json', 'application/json; charset=utf-8'],
  ['/docs/openapi.yaml', 'application/yaml'],
] as const;

/** One of each type that the pages load, by an address that has their contents. */
const ASSETS = [
  ['docs.css', 'text/css; charset=utf-8'],
  ['docs.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
] as const;

const PLAIN = { 'accept-encoding': 'identity' };

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Findings of the linter in a document, each with its place. */
async function problemsOf(document: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linted-'));
  writeFileSync(join(folder, 'document.json'), document);
  const lint = ['lint', join(folder, 'document.json'), '--config', 'docs/redocly.yaml', '--format', 'json'];
  // Exits with 1 when it has found something.
  const { stdout } = await execute('node_modules/.bin/redocly', lint).catch(
    (error: unknown) => error as { stdout: string },
  );
  rmSync(folder, { recursive: true });
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; location: { pointer: string }[] }[];
  };
  return problems.map(({ ruleId, location }) => `${ruleId} ${location.map(({ pointer }) => pointer).join()}`);
}

describe('The docs over HTTP', () => {
  let service: TestService;
  const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
  const assets = async () => `/${/docs\/files\/\w{16}\//.exec(await (await get('/docs')).text())?.[0] ?? ''}`;

  beforeAll(async () => {
    service = await startTestService('sqlite');
  });

  afterAll(() => service.stop());

  it.each(FILES)('are served without a key, under a strict policy: %s', async (path, type) => {
    const response = await get(path, { headers: { 'x-request-id': 'docs-test', ...PLAIN } });
    const body = await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-cache',
      'content-length': String(body.byteLength),
      'content-security-policy': POLICY,
      'content-type': type,
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'docs-test',
    });
  });

  it('have the TypeScript client, of which the pages name the newest release at the address that was called', async () => {
    const guide = await (await get('/docs/guide.md')).text();
    const address = /npm install (.*)/.exec(guide)?.[1] ?? '';
    const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as {
      version: string;
    };
    expect(address).toBe(`${service.url}/docs/petstore-client-${version}.tgz`);
    expect(await (await get('/docs')).text()).toContain(`npm install ${address}`);
    const response = await fetch(address);
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const kept = readFileSync(`packages/client/releases/petstore-client-${version}.tgz`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(kept);
    expect((await get('/docs/petstore-client-0.0.1.tgz')).status).toBe(404);
    expect((await get('/docs/petstore-client-..%2f..%2fpackage.json.tgz')).status).toBe(404);
  });

  it('respond to HEAD with the same header fields and no body', async () => {
    const head = await get('/docs', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(lasting(head)).toEqual(lasting(await get('/docs')));
  });

  it('are 304 for their own entity tag, and 200 for another', async () => {
    const etag = (await get('/docs')).headers.get('etag') as string;
    const known = await get('/docs', { headers: { 'if-none-match': etag } });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get('/docs', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each(ASSETS)('serve %s with a hash in its name and immutable caching', async (name, type) => {
    const folder = await assets();
    const kept = await get(`${folder}${name}`, { headers: PLAIN });
    const body = Buffer.from(await kept.arrayBuffer());
    expect(Object.fromEntries(kept.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(body.length),
      'content-security-policy': POLICY,
      'content-type': type,
      vary: 'Accept-Encoding',
    });
    const other = await get(`${folder.replace(/\w{16}/, '0'.repeat(16))}${name}`, { headers: PLAIN });
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    // toEqual() takes seconds for a megabyte on a busy machine, and the connection would be closed meanwhile.
    expect(body.equals(Buffer.from(await other.arrayBuffer()))).toBe(true);
  });

  it.each([
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/files/0/package.json',
    '/docs/files/0/..%2fdocs.controller.js',
    '/docs/',
  ])('are 404 for other names: %s', async (path) => {
    const response = await get(path);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 'not_found', message: 'This path does not exist.', status: 404 },
    ]);
  });

  it('are 405 for another method', async () => {
    const response = await get('/docs', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each(['/docs', '/docs/guide'])(
    'have no inline script, style or handler in the page %s',
    async (path) => {
      const page = await (await get(path)).text();
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
      expect(page.match(/<script[^>]*>/g) ?? []).toEqual(
        (
          page.match(/<script (?:type="module" )?src="(?:docs\/)?files\/\w{16}\/[\w.-]+"><\/script>/g) ?? []
        ).map((tag) => tag.replace('</script>', '')),
      );
    },
  );

  it('load nothing from elsewhere, and everything that their scripts import', async () => {
    const loaded = new Set<string>();
    const load = async (target: string, base: string) => {
      const address = new URL(target, base);
      expect(address.origin).toBe(service.url);
      if (loaded.has(address.href)) return;
      loaded.add(address.href);
      const response = await fetch(address);
      expect([address.href, response.status]).toEqual([address.href, 200]);
      const text = await response.text();
      for (const [, imported = ''] of text.matchAll(/^import .* from '(\.[^']*)'/gm))
        await load(imported, address.href);
    };
    for (const path of ['/docs', '/docs/guide']) {
      const page = await (await get(path)).text();
      for (const [, target = ''] of page.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g))
        await load(target, `${service.url}${path}`);
    }
    expect([...loaded].filter((address) => address.includes('/docs-'))).toHaveLength(13);
    expect(await (await get(`${await assets()}docs.js`)).text()).toContain('validatorUrl: null');
  });

  it('have a version in OpenAPI 3.1 with the same rules, which names the scopes of each operation', async () => {
    const twin = (await (await get('/docs/openapi-3.1.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { security: unknown }>>;
    };
    expect(twin.openapi).toBe('3.1.0');
    expect(twin.paths['/pets']?.['post']?.security).toEqual([{ apiKey: ['pets:write'] }]);
    // What an operation of plain Nest leaves out is left out of both.
    const known = await problemsOf(await (await get('/docs/openapi.json')).text());
    const problems = await problemsOf(JSON.stringify(twin));
    expect(problems.filter((each) => each.includes('pet') || !known.includes(each))).toEqual([]);
  });

  it('explain the errors that operations declare, and those of any request, and no others', async () => {
    const guide = await (await get('/docs/guide')).text();
    const document = (await (await get('/docs/openapi.json')).json()) as ServedDocument & {
      readonly info: { readonly description: string };
    };
    const declared = new Set([
      ...operationsOf(document).flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, response]) =>
          /^[23]/.test(status) ? [] : codesOf(response),
        ),
      ),
      ...ERRORS_OF_ANY_REQUEST.map(({ declaration }) => declaration.code),
    ]);
    const rows = document.info.description.matchAll(/^\| \d+ \| `(\w+)` \|/gm);
    const cells = guide.matchAll(/<td>\d+<\/td><td id="(\w+)"><code>\w+<\/code><\/td>/g);
    for (const found of [rows, cells]) {
      expect([...found].map(([, code]) => code).sort()).toEqual([...declared].sort());
    }
  });

  it('say in the guide that an operation has been removed', async () => {
    expect(await (await get('/docs/guide')).text()).toContain('<h3 id="getPet"><code>getPet</code></h3>');
    const later = await startTestService('sqlite', { DEPRECATED_OPERATIONS: 'getPet=removed' });
    expect(await at(later, '/docs/guide')).toContain('This operation has been removed.');
    await later.stop();
  });

  it.each(['/docs', '/docs/guide', '/docs/guide.md'])(
    'have samples with the address of the reader: %s',
    async (path) => {
      const page = await at(service, path, 'pets.example:8080');
      expect(page).toContain('curl http://pets.example:8080/v1/');
      expect(page).not.toContain('api.example.com');
      expect(await at(service, path, `127.0.0.1:${service.port}`)).toContain(`curl ${service.url}/v1/`);
      for (const host of ['pets.example;reboot', '$(reboot)', `${'a'.repeat(300)}.example`]) {
        const odd = await at(service, path, host);
        expect(odd).toContain('curl https://api.example.com/v1/');
        expect(odd).not.toContain(host);
      }
    },
  );

  it('have samples with PUBLIC_BASE_URL if set, or the address of a trusted proxy', async () => {
    const set = await startTestService('sqlite', { PUBLIC_BASE_URL: 'https://pets.example/v1' });
    expect(await at(set, '/docs')).toContain('curl https://pets.example/v1/');
    await set.stop();
    const behind = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    expect(await at(behind, '/docs', 'inner', forwarded)).toContain('curl https://shop.example/v1/');
    expect(await at(service, '/docs', 'inner', forwarded)).toContain('curl http://inner/v1/');
    await behind.stop();
  });

  it('let Swagger UI call production and staging if set, and nothing else', async () => {
    const other = await startTestService('sqlite', {
      PRODUCTION_BASE_URL: 'https://api.example.com/v1',
      STAGING_BASE_URL: 'https://staging.example.com:8443/petstore/v1',
    });
    const { headers } = await fetch(`${other.url}/docs`);
    await other.stop();
    expect(headers.get('content-security-policy')).toBe(
      POLICY.replace(
        "connect-src 'self'",
        "connect-src 'self' https://api.example.com https://staging.example.com:8443",
      ),
    );
  });
});

/** Gets a file as a reader does who calls the service by a name. */
async function at(
  service: TestService,
  target: string,
  host = 'inner',
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await ask(service, { target, headers: { ...fields, host }, key: null });
  return body;
}

/** The header fields that are about the file. */
function lasting({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name)),
  );
}
