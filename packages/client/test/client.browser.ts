import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ts from 'typescript';
import { launchChromium, openPage } from '../../../test/browser/browser.ts';
import { startTestService } from '../../../test/support/service/service.ts';
import type * as Client from '../src/index.ts';

const SOURCES = join(__dirname, '..', 'src');

const PAGE = `<!doctype html>
<script type="module">
  import * as petstore from '/index.ts';
  Object.assign(window, { petstore });
</script>`;

const endings: (() => unknown)[] = [];
afterAll(() => Promise.all(endings.map((end) => end())));

/** Serves a page with the client, whose modules are stripped of their types. */
async function servePage(): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    if (!url.endsWith('.ts')) return response.setHeader('content-type', 'text/html').end(PAGE);
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, url), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    return response.setHeader('content-type', 'text/javascript').end(outputText);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endings.push(() => server.close());
  return server;
}

describe('The client in a browser', () => {
  it('adds, fetches and lists pets of a service that allows the page, and reads what its headers say', async () => {
    const server = await servePage();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = await startTestService('sqlite', { CORS_ORIGINS: origin });
    endings.push(() => service.stop());
    const browser = await launchChromium();
    endings.push(() => browser.close());
    const { page } = await openPage(browser);
    await page.goto(origin);
    await page.waitForFunction('window.petstore');
    const seen = await page.evaluate(
      async ({ baseUrl, apiKey }) => {
        const { PetstoreClient, PetstoreError } = (window as unknown as { petstore: typeof Client }).petstore;
        const notices: unknown[] = [];
        const client = new PetstoreClient({
          baseUrl,
          apiKey,
          onDeprecation: (notice) => notices.push(notice),
        });
        const added = await client.createPet({ name: 'Rex', categoryId: 9007199254740993n });
        await client.createPet({ name: 'Max', categoryId: -9223372036854775808n });
        const { data, etag } = await client.getPet(added.id).withResponse();
        const unchanged = await client.getPet(added.id, { ifNoneMatch: etag });
        const listed: Client.Pet[] = [];
        for await (const pet of client.listPets({ limit: 1 })) listed.push(pet);
        const error: unknown = await client.getPet(0n).catch((reason: unknown) => reason);
        const isError = error instanceof PetstoreError && error.requestId !== undefined;
        return { data, unchanged, listed, isError, notices: notices.length };
      },
      { baseUrl: service.url, apiKey: service.key },
    );
    const rex = { id: 1n, name: 'Rex', categoryId: 9007199254740993n };
    expect(seen).toEqual({
      data: rex,
      unchanged: undefined,
      listed: [rex, { id: 2n, name: 'Max', categoryId: -9223372036854775808n }],
      isError: true,
      notices: 3,
    });
  });
});
