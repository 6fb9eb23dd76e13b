import { Controller, Get, Module, VERSION_NEUTRAL } from '@nestjs/common';
import { Public } from '../../src/platform/security/access.decorators';
import { unescaped } from '../support/service/console';
import type { RawResponse } from '../support/http/raw-http';
import { linksOf } from './support/links';
import { ask, creation, field, type WireRequest } from './support/request';
import { useService } from './support/service';

const ROOT = 'https://shop.example/petstore';

/** Texts with addresses that the service sends without being asked for an operation. */
const TEXTS = [
  '/docs',
  '/docs/guide',
  '/docs/guide.md',
  '/docs/llms.txt',
  '/docs/openapi.json',
  '/docs/openapi-3.1.json',
  '/docs/openapi.yaml',
];

/** An address in a text: the target of a link in HTML or Markdown, or a word that leads to an operation or to the docs. */
const ADDRESSES =
  /(?:href|src)="([^"]*)"|\]\(([^)\s]*)\)|(?<![\w/.{}`-])((?:https?:\/\/[^\s"'<>()`\\]*)?\/(?:v1|docs)(?![\w.])[^\s"'<>()`\\]*)/g;

/** Addresses of others: standards, and hosts in examples about other services. */
const OF_OTHERS =
  /^https:\/\/(?:www\.rfc-editor\.org|datatracker\.ietf\.org|json-schema\.org|spec\.openapis\.org)\//;

function addressesIn(text: string): string[] {
  const found = unescaped(text).matchAll(ADDRESSES);
  return Array.from(found, ([, html, markdown, word]) => html ?? markdown ?? word ?? '');
}

/** Outside the version of the interface: its path in the document has servers of its own. */
@Controller({ path: 'hours', version: VERSION_NEUTRAL })
class HoursController {
  @Public()
  @Get()
  hours(): object {
    return { from: 9, to: 17 };
  }
}

@Module({ controllers: [HoursController] })
class HoursModule {}

describe('Behind a proxy that removes the beginning of the path, with PUBLIC_BASE_URL', () => {
  const service = useService('sqlite', { PUBLIC_BASE_URL: `${ROOT}/v1` }, { HoursModule });

  /** Asks as the proxy does: by the path without its beginning. */
  const askAt = (address: string, request: WireRequest = {}) =>
    ask(service(), { ...request, target: address.slice(ROOT.length) });

  /** Resolves an address as a client does that found it at another, and follows it. */
  async function expectServed(address: string, at: string): Promise<RawResponse> {
    const { href, hash } = new URL(address, at);
    expect({ address, leadsTo: href.slice(0, ROOT.length + 1) }).toEqual({ address, leadsTo: `${ROOT}/` });
    const response = await askAt(href.slice(0, href.length - hash.length).replace(/\{\w+\}/, '1'));
    // The guide names the first record of the first module that has a PATCH: in a project with such a module it may not exist.
    const isOfOtherModule = /\/v1\/(?!pets\b)[\w-]+\/1$/.test(href) && response.status === 404;
    const found = isOfOtherModule && !response.body.includes('"not_found"') ? 200 : response.status;
    expect({ address, status: found }).toEqual({ address, status: 200 });
    return response;
  }

  beforeAll(async () => {
    for (const name of ['Rex', 'Tom']) await service().post('/v1/pets', { name, categoryId: 1 });
  });

  it('leads from page to page of a list', async () => {
    const at = `${ROOT}/v1/pets?limit=1`;
    const next = linksOf(await askAt(at)).get('next') as string;
    const first = linksOf(await expectServed(next, at)).get('first') as string;
    expect(JSON.parse((await expectServed(first, next)).body)).toMatchObject([{ name: 'Rex' }]);
  });

  it('leads to what was created, also when the response is repeated', async () => {
    const at = `${ROOT}/v1/pets`;
    const request = creation('{"name":"Kim","categoryId":1}', { headers: { 'Idempotency-Key': 'kim' } });
    for (const replayed of [undefined, 'true']) {
      const response = await askAt(at, request);
      expect(field(response, 'idempotency-replayed')).toBe(replayed);
      const created = await expectServed(field(response, 'location') as string, at);
      expect(JSON.parse(created.body)).toMatchObject({ name: 'Kim' });
    }
  });

  it('leads from a deprecated operation to its explanation and its successor', async () => {
    const at = `${ROOT}/v1/pets/1`;
    const links = linksOf(await askAt(at));
    expect([...links.keys()]).toEqual(['deprecation', 'sunset', 'successor-version']);
    for (const target of links.values()) await expectServed(target, at);
  });

  it('leads a browser from the root to the docs', async () => {
    const at = `${ROOT}/`;
    const response = await askAt(at, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(303);
    await expectServed(field(response, 'location') as string, at);
  });

  it.each(TEXTS)('leads from %s to nothing outside', async (path) => {
    const at = ROOT + path;
    const { body } = await askAt(at, { headers: { 'Accept-Encoding': 'identity' } });
    const found = new Set(addressesIn(body).filter((address) => !OF_OTHERS.test(address)));
    // Clients begin with these and get none of them; /v1 alone is the name of the version.
    for (const base of [`${ROOT}/v1`, `${ROOT}/`, '/v1']) found.delete(base);
    const links = [...found].filter((address) => !address.startsWith('#'));
    expect(links.length).toBeGreaterThan(2);
    for (const address of links) await expectServed(address, at);
  });

  it.each(['/docs/openapi.json', '/docs/openapi-3.1.json'])(
    'has that address as first server of %s, for paths outside the version too',
    async (path) => {
      const { servers, paths } = JSON.parse((await askAt(ROOT + path)).body) as {
        servers: object[];
        paths: Record<string, { servers?: object[] }>;
      };
      expect(servers).toEqual([{ url: `${ROOT}/v1`, description: 'This server' }]);
      expect(paths['/hours']?.servers).toEqual([{ url: `${ROOT}/`, description: 'This server' }]);
    },
  );

  it('lets the page of the docs call that address from wherever it was opened', async () => {
    const policy = field(await askAt(`${ROOT}/docs`), 'content-security-policy');
    expect(policy).toContain("connect-src 'self' https://shop.example;");
  });
});

describe('The servers in the document', () => {
  const shop = 'https://shop.example/v1';
  const staging = 'https://staging.shop.example/v1';
  const service = useService('sqlite', {
    PUBLIC_BASE_URL: staging,
    PRODUCTION_BASE_URL: shop,
    STAGING_BASE_URL: staging,
  });

  it('begin with PUBLIC_BASE_URL, under the name that it has among the others', async () => {
    const { body } = await ask(service(), { target: '/docs/openapi.json' });
    expect(JSON.parse(body)).toMatchObject({
      servers: [
        { url: staging, description: 'Staging' },
        { url: shop, description: 'Production' },
      ],
    });
  });
});
